// SPDX-License-Identifier: MIT
// What a page is used for. This is the only place that decides it.
//
// A *unit* is a mapped file. An *executable unit* of a process is a unit that the process maps
// executable somewhere, or the program itself (flag X). The first matching rule decides:
//
//  1. special: pages that are not in the kernel's Rss (the zero page, hugetlb, memory without
//     struct page), and pages in [vsyscall] and in labels that begin with [vvar. Where the kernel
//     counts mappings of the latter (7.3), they are in Rss, and library data.
//  2. stack: areas that grow down, [stack], [anon:…stack…]; and thread stacks. A thread stack is a
//     private, writable, not executable anonymous area directly after a small guard (no
//     permissions, at most 32 KiB or one page), or whose first page is a guard page (glibc from
//     2.42 on). It does not begin at a multiple of 64 MiB, as malloc arenas do. Some allocators put
//     guards around all of their memory, so a process has at most as many thread stacks as other
//     threads than its first: the largest ones. The rest is heap. (Not in version 1, which does not
//     name the threads of a process, and in snapshots of dumps without a boot id, which list them
//     in several places.)
//  3. shared memory: shared mappings of /dev/shm, memfd, SysV and anonymous memory, of /dev/zero,
//     /dev/ashmem and [anon_shmem:…]. Such a mapping is not an executable unit.
//  4. heap: [heap].
//  5. library bss, application bss: a writable anonymous area directly after an area of an
//     executable unit, which is the part of its data segment that is not in the file. After a
//     library only if it is below 256 KiB. The unit must be executable, or the program, there or at
//     a lower address, because the rule is applied when the area is read.
//  6. application text: anonymous, executable, not writable: code that the process generated.
//  7. heap: any other private anonymous area, executable ones too if they are writable (old systems
//     and version 1 files have all data so).
//  8. library text: [vdso] and other code that the kernel supplies.
//  9. application data and text: the program's file, by write permission.
// 10. library data and text: any other executable unit, by write permission. In units of rules 9
//     and 10, an anonymous page of an area that is neither writable nor executable is data: it was
//     written before it was protected (RELRO). In an executable area it stays text, and an alert
//     reports it: relocations have written to the text.
// 11. mapped file: any other file.
// 12. unexplained: no rule matches.
//
// Known limits. Memory mapped directly after a library merges with its bss. Below 256 KiB both
// count as bss, from there on both count as heap. Collectors before records 2.11.5 do not mark
// areas that begin with a guard page, so such thread stacks count as heap. Version 1 files have no
// stable page flags, so rule 1 and RELRO cannot be applied. Their heap and application bss are one
// area, counted as heap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
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

/// Regions of an area's pages: `anon` for anonymous pages, `file` for all others.
struct Regions {
  Region file = Region::kUnexplained;
  Region anon = Region::kUnexplained;
};

/// Identifies a unit: by device and inode if the snapshot has them, otherwise by path.
using UnitKey = std::pair<std::pair<std::uint64_t, std::uint64_t>, Name>;
UnitKey unit_key(const Vma& vma);
/// "PATH (device 8:1, inode 42)". The path alone if it is the only unit with this path and does not
/// end like that itself, or if it has no inode.
std::string unit_label(const std::string& path, const UnitKey& key, bool is_only);
/// For hash tables that are searched per area.
struct UnitKeyHash {
  std::size_t operator()(const UnitKey& key) const {
    const auto& [file, path] = key;
    return std::hash<std::string_view>()(path.text()) ^ (file.second << 32 | file.second >> 32) ^
           file.first;
  }
};
bool is_same_unit(const Vma& a, const Vma& b);

/// Whether the area maps a file or something similar, by the name of its unit.
bool has_file(const Vma& vma);

/// The areas of one process, given in address order.
class RegionMap {
 public:
  /// What is known of an area when it is added.
  struct Marks {
    std::uint64_t flags = 0;  ///< the area's flags, with B and X added where the rules say so
    /// The file whose memory it is: its own; for a bss, the file of the data before it; for [heap],
    /// the program, as in the paper's page dump. Empty for other memory.
    Name file;
    /// What reports by file call it: the file, also for a bss; [heap]; [stack], for stacks of
    /// threads as well; its own label. Empty for other anonymous memory.
    Name unit;
    std::uint64_t device = 0, inode = 0;  ///< of this file; 0: it has none

    UnitKey key() const { return inode != 0 ? UnitKey{{device, inode}, {}} : UnitKey{{}, unit}; }
  };

  explicit RegionMap(const Header& header)
      : version_(header.version), page_size_(header.page_size.bytes) {}

  Marks add(const Vma& vma);
  /// Makes heap of thread stacks, the smallest first, until at most `max` are left. Call it after
  /// the last add(), with the marks of all areas.
  void limit_thread_stacks(std::uint64_t max, std::span<Marks* const> marks);
  /// Regions of the i-th area. Call it after the last add(), because any area can make a unit
  /// executable.
  Regions regions(std::size_t i) const;

 private:
  /// An area's region, or the unit whose kind decides it.
  struct Known {
    std::optional<Region> region;
    std::size_t unit = 0;  ///< its number
    std::uint64_t flags = 0;
    std::uint64_t thread_stack = 0;  ///< its size; 0: it is none
  };

  /// What the process does with a unit.
  struct Unit {
    bool is_executable = false;  ///< it is mapped executable somewhere, or is the program
    bool is_program = false;
  };

  std::size_t number(const Vma& vma);

  std::optional<Region> classify(const Vma& vma, Marks& marks) const;
  Region classify_anonymous(const Vma& vma, Marks& marks) const;
  bool is_thread_stack(const Vma& vma) const;

  int version_;
  std::uint64_t page_size_;
  std::vector<Known> areas_;
  std::unordered_map<UnitKey, std::size_t, UnitKeyHash> numbers_;
  std::vector<Unit> units_;  ///< by number
  Name program_path_;
  Name stack_ = std::string("[stack]");
  Vma before_;  ///< the area added last
};

}  // namespace physmem
