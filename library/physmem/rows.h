// SPDX-License-Identifier: MIT
// The rows of a snapshot. Counts are in pages. Names are bytes, as the kernel has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace physmem {

/// Sums over the VMAs of a process, of a group of processes, or of a mapping.
struct MemorySums {
  /// Unique: frames that only this process maps, once or several times. Of a group, frames that
  /// only its processes map; of a mapping, frames that one process maps and no other. No value: the
  /// collector was not permitted to read the process, or one of several in a group.
  std::optional<std::uint64_t> uss;
  /// Proportional: each page divided by its mappings. It has no value if not all pages are listed.
  std::optional<double> pss;
  std::uint64_t rss = 0;             ///< resident pages
  std::uint64_t swap = 0;            ///< pages in swap
  std::optional<std::uint64_t> vss;  ///< pages of address space; no value as for uss
};

/// Resident pages by use. The sum of all fields except `special` is the Rss. They have no values if
/// the snapshot has no areas of the process: in a recording of physmem-top, or if the collector was
/// not permitted to read them.
struct RegionSums {
  std::optional<std::uint64_t> stack;
  std::optional<std::uint64_t> heap;
  std::optional<std::uint64_t> app_bss;
  std::optional<std::uint64_t> app_data;
  std::optional<std::uint64_t> app_text;
  std::optional<std::uint64_t> lib_bss;
  std::optional<std::uint64_t> lib_data;
  std::optional<std::uint64_t> lib_text;
  std::optional<std::uint64_t> mapped_file;
  std::optional<std::uint64_t> shared_memory;
  std::optional<std::uint64_t> special;  ///< not in Rss: zero page, hugetlb, device memory
  std::optional<std::uint64_t> unexplained;
};

/// One address space. Kernel threads have no address space, and no row.
struct ProcessRow : MemorySums, RegionSums {
  std::uint64_t pid = 0;
  std::string name;
  std::optional<std::uint64_t> uid;
  std::string cgroup;
  std::uint64_t threads = 0;
};

/// One VMA. `file_*` and `anon_*`: pages of the file, and private or anonymous ones.
struct AreaRow {
  std::uint64_t pid = 0;
  std::uint64_t process = 0;  ///< index in processes()
  std::uint64_t start = 0;
  std::uint64_t last = 0;    ///< address of the last byte
  std::uint64_t flags = 0;   ///< area_flag
  std::uint64_t offset = 0;  ///< of start in the file, bytes
  std::uint64_t device_major = 0;
  std::uint64_t device_minor = 0;
  std::uint64_t inode = 0;
  /// Path of the file or label of the VMA. A bss has the path of its file. Empty: the VMA has
  /// neither. The view is valid as long as a copy of the Snapshot exists.
  std::string_view unit;
  std::string_view file_region;  ///< use of its file pages: "library text"
  std::string_view anon_region;  ///< use of its anonymous pages
  std::uint64_t vss = 0;
  std::uint64_t uss = 0;
  std::optional<double> pss;
  std::uint64_t file_pages = 0;
  std::uint64_t anon_pages = 0;
  std::uint64_t special_pages = 0;
  std::uint64_t swap = 0;

  std::uint64_t rss() const { return file_pages + anon_pages; }
  /// "rw-p", as in /proc/PID/maps.
  std::string permissions() const;
};

/// A mapped file that is a program or a library. bss, data and text are distinct frames, which are
/// the cost of the file for the system. They have no value if the snapshot has no pages.
struct UnitRow {
  std::string path;
  std::uint64_t device_major = 0;
  std::uint64_t device_minor = 0;
  std::uint64_t inode = 0;
  std::optional<std::uint64_t> bss;
  std::optional<std::uint64_t> data;
  std::optional<std::uint64_t> text;
  std::optional<std::uint64_t> frames;  ///< their sum
  std::uint64_t processes = 0;
  std::uint64_t uss = 0;  ///< frames that one process maps and no other
  std::optional<double> pss;
  std::uint64_t rss = 0;  ///< as pss, the sum over processes
};

/// Any mapped file, or a kind of memory that has no file: "[heap]", "[anon]".
struct MappingRow : MemorySums {
  std::string name;
  std::uint64_t processes = 0;
};

/// The processes of a user.
struct UserRow : MemorySums {
  std::optional<std::uint64_t> uid;
  std::uint64_t processes = 0;
  std::uint64_t threads = 0;
  std::uint64_t unread = 0;  ///< processes that pss, the sum of the others, does not have
};

/// The processes of a cgroup.
struct CgroupRow : MemorySums {
  std::string path;
  std::uint64_t processes = 0;
  std::uint64_t threads = 0;
  std::uint64_t unread = 0;  ///< as in UserRow
};

/// Pages of all processes with the same use.
struct RegionRow {
  std::string name;                     ///< "library text"
  std::optional<std::uint64_t> frames;  ///< distinct frames; no value without pages
  std::uint64_t rss = 0;  ///< sum over processes; in row "special", pages outside of Rss
};

/// A class of frames of RAM. The rows add up to SnapshotInfo::ram_frames.
struct LedgerRow {
  std::string name;
  std::uint64_t pages = 0;
  /// Frames with a known owner. It has no value for a class whose frames have no owners.
  std::optional<std::uint64_t> owned;
};

/// An owner of frames of RAM.
struct FrameOwnerRow {
  std::string kind;  ///< file, slab, cgroup, task, code, other
  std::string name;
  std::uint64_t pages = 0;
  std::uint64_t mapped = 0;  ///< how many of `pages` a process maps
  std::uint64_t dirty = 0;
  std::uint64_t active = 0;
  std::string file_system;
  std::uint64_t device_major = 0;
  std::uint64_t device_minor = 0;
  std::uint64_t inode = 0;
  std::uint64_t number = 0;  ///< id of a cgroup, pid of a task, otherwise 0
  std::string state;         ///< "deleted", "dying" or empty
};

/// A counter of the kernel ("mem.MemFree_kB", "vm.pgfault"), or a note and how often it occurred.
struct CounterRow {
  std::string name;
  std::uint64_t value = 0;
};

}  // namespace physmem
