// SPDX-License-Identifier: MIT
// What a page is for. Decided here and nowhere else.
//
// "Unit" is a mapped file; an *executable unit* of a process is a unit that the process maps
// executable somewhere, or the program itself (flag X). The first rule that fits decides:
//
//  1. special: pages that the kernel's Rss leaves out (the zero page, hugetlb, memory without
//  struct page),
//     and what lies in [vsyscall] and in every label that begins with [vvar.
//  2. stack: areas that grow down, [stack], [anon:…stack…]; thread stacks. A thread stack is a
//     private, writable, not executable anonymous area that does not begin at a multiple of 64 MiB
//     (those are malloc arenas), directly above a small guard (an anonymous area without
//     permissions, at most 32 KiB or one page).
//  3. shared memory: shared mappings of /dev/shm, memfd, SysV and anonymous memory, of /dev/zero,
//     /dev/ashmem and [anon_shmem:…]. Such a mapping is no executable unit.
//  4. heap: [heap].
//  5. library bss, application bss: a writable anonymous area right behind an executable unit's
//  area, which is
//     the part of its data segment that is not in the file. Behind a library only if it is below
//     256 KiB. The unit must be mapped executable, or as the program, there or at a lower address:
//     the rule is applied when the area is read.
//  6. application text: anonymous, executable, not writable: code that the process made for itself.
//  7. heap: any other private anonymous area, executable ones too if they can be written (old
//  systems, and
//     version 1 files, have all data so).
//  8. library text: [vdso] and other code that the kernel supplies.
//  9. application data and text: the program's file, by permission to write.
// 10. library data and text: another executable unit, by permission to write. Of it and of the
// program's, an
//     anonymous page in an area that is neither writable nor executable is data: it was written
//     before it was protected (RELRO). In an executable area it stays text, and an alert tells of
//     it: relocations have written to the text.
// 11. mapped file: any other file.
// 12. unexplained: what no rule fits.
//
// Known limits. Memory that was mapped right behind a library counts as its bss below 256 KiB, and
// the bss with it from there on; thread stacks whose guard is no area of its own (glibc from 2.42
// on) count as heap; version 1 files have no stable page flags, so rule 1 and RELRO cannot be
// applied, and heap and application bss are one area, counted as heap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/model/header.h"
#include "analyzer/model/vma.h"

namespace physmem {

enum class Region : std::uint8_t {
  kStack,
  kHeap,
  kAppBss,
  kAppData,
  kAppText,
  kLibBss,
  kLibData,
  kLibText,
  kMappedFile,
  kSharedMemory,
  kSpecial,
  kUnexplained,
};
inline constexpr std::size_t kRegions = 12;

std::string_view name(Region region);

/// Regions of an area's pages: of those that belong to the file (or to nothing in particular), and
/// of anonymous ones.
struct Regions {
  Region file = Region::kUnexplained;
  Region anon = Region::kUnexplained;
};

/// What identifies a unit: the file where the snapshot knows it, else the path.
using UnitKey = std::pair<std::pair<std::uint64_t, std::uint64_t>, Name>;
UnitKey unit_key(const Vma& vma);
/// For tables that every area looks into.
struct UnitKeyHash {
  std::size_t operator()(const UnitKey& key) const {
    const auto& [file, path] = key;
    return std::hash<std::string_view>()(path.text()) ^ (file.second << 32 | file.second >> 32) ^
           file.first;
  }
};
bool is_same_unit(const Vma& a, const Vma& b);

/// Is the area a mapping of a file (or of something like one), by its unit's name?
bool has_file(const Vma& vma);

/// The areas of one process, given in address order.
class RegionMap {
 public:
  /// What is known of an area as soon as it is seen.
  struct Marks {
    std::uint64_t flags = 0;  ///< those of the area, with B and X added where the rules say so
    Name owner;               ///< the unit it belongs to: its own, or that of the data before a bss
  };

  explicit RegionMap(const Header& header)
      : version_(header.version), page_size_(header.page_size.bytes) {}

  Marks add(const Vma& vma);
  /// Regions of the i-th area. Final once the last area was added: only then is it known which
  /// units are executable.
  Regions regions(std::size_t i) const;

 private:
  /// An area's region, or the unit whose kind decides it.
  struct Known {
    std::optional<Region> region;
    std::size_t unit = 0;  ///< its number
    std::uint64_t flags = 0;
  };

  /// What the process does with a unit.
  struct Unit {
    bool is_executable = false;  ///< maps it executable somewhere, or is it
    bool is_program = false;
  };

  std::size_t number(const Vma& vma);

  std::optional<Region> classify(const Vma& vma, Marks& marks) const;
  Region classify_anonymous(const Vma& vma, Marks& marks) const;
  bool is_stack_behind_guard(const Vma& vma) const;

  int version_;
  std::uint64_t page_size_;
  std::vector<Known> areas_;
  std::unordered_map<UnitKey, std::size_t, UnitKeyHash> numbers_;
  std::vector<Unit> units_;  ///< by number
  Name program_path_;
  Vma before_;  ///< the area added last
};

}  // namespace physmem
