// SPDX-License-Identifier: MIT
// The whole of RAM: zones, runs of frames with the same use, and the owners of these frames.
// formats/physmem-records.md specifies them (Z:, R:, O:). Counts are in pages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/emit/ram.h"

namespace physmem {

/// Why an analysis of R: lines has no answer.
inline constexpr const char* kNoFrames =
    "the snapshot has no frames of RAM; physmem-collect --ram, as root, records them";
/// Why a question for files has no answer, if the snapshot has frames.
inline constexpr const char* kNoNames =
    "--ram=proc does not show the file of a frame; --ram=kcore, --ram=bpf, the module and dumps do";

/// What a frame is used for.
using FrameClass = pm_ram_class;
inline constexpr std::size_t kFrameClasses = PM_RAM_CLASS_COUNT;

#define PHYSMEM_WORD(name, word) std::string_view(word),
/// Their words in R: lines and in reports.
inline constexpr std::array<std::string_view, kFrameClasses> kFrameClassWords{
    PM_RAM_CLASSES(PHYSMEM_WORD)};
#undef PHYSMEM_WORD

/// Zones of a snapshot. Linux has at most 1024 nodes (MAX_NUMNODES) of six zones.
inline constexpr std::size_t kMaxZones = 8192;

struct Zone {
  std::uint64_t node = 0;
  std::string name;
  std::uint64_t first_pfn = 0;
  std::uint64_t spanned = 0;  ///< frames from first_pfn on, with holes
  std::uint64_t present = 0;  ///< without holes
  std::uint64_t managed = 0;  ///< managed by the page allocator
  std::uint64_t free = 0;
  std::uint64_t percpu_lists = 0;  ///< free pages on per-CPU lists, not in free
  std::uint64_t min = 0;           ///< watermarks
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

/// Pages of a file in the page cache, as the kernel counts them for the file.
struct FileCounts {
  std::uint64_t pages = 0;
  std::optional<std::uint64_t> dirty;      ///< nothing: unknown
  std::optional<std::uint64_t> writeback;  ///< being written to the disk
};

/// One owner of frames. Which members are used depends on the kind.
struct RamOwner {
  enum class Kind : std::uint8_t {
    kFile,
    kSlab,
    kCgroup,
    kTask,
    kCode,
    kMount,        ///< a file system with its mount point; it has no frames itself
    kOther,        ///< of a kind that this version does not know
    kCountedFile,  ///< a file with `counts`, of a snapshot with Header::files; it has no frames
  };
  std::uint64_t id = 0;  ///< in R: lines; from 1
  Kind kind = Kind::kOther;
  /// file: path in its file system; slab: cache; cgroup: path; code: symbol+offset; mount: its
  /// place
  std::string name;
  std::string file_system;
  std::uint64_t device = 0;  ///< of a file or mount
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;  ///< of a file
  std::uint64_t links = 0;  ///< 0: deleted, or it never had a name
  std::string build_id;     ///< hex digits; empty: unknown, or not an ELF file
  FileCounts counts;        ///< of a kCountedFile
  std::uint64_t object_bytes = 0;
  std::uint64_t objects_per_slab = 0;
  std::uint64_t number = 0;  ///< cgroup: its id; task: its pid
  bool is_dying = false;     ///< a cgroup that was deleted while it had pages
  std::uint64_t start_time = 0;
};

/// Consecutive frames of one use.
struct RamRun {
  std::uint64_t first_pfn = 0;
  std::uint64_t pages = 0;
  FrameClass use = PM_RAM_UNKNOWN;
  std::uint64_t owner = 0;   ///< RamOwner::id; 0: none, or unknown
  std::uint64_t cgroup = 0;  ///< the cgroup that pays, as an id of a RamOwner; 0: none
  std::uint64_t flags = 0;   ///< PM_PAGE_*
  std::uint64_t count = 0;   ///< mappings of each page
  std::uint64_t place = 0;   ///< of the first frame in its file, pages; of free blocks: their order
};

}  // namespace physmem
