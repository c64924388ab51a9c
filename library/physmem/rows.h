// SPDX-License-Identifier: MIT
// The rows of a snapshot. Counts are in pages. Names are bytes, as the kernel has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace physmem {

/// Of a process, of a group of processes, or of what several processes map.
struct MemorySums {
  /// Unique: pages with one mapping. Nothing, as vss, of a process that the collector was not
  /// permitted to read.
  std::optional<std::uint64_t> uss;
  std::optional<double> pss;  ///< proportional; nothing if not all pages are listed
  std::uint64_t rss = 0;
  std::uint64_t swap = 0;
  std::optional<std::uint64_t> vss;
};

/// Resident pages by use. All but `special` add up to the Rss.
struct RegionSums {
  std::uint64_t stack = 0;
  std::uint64_t heap = 0;
  std::uint64_t app_bss = 0;
  std::uint64_t app_data = 0;
  std::uint64_t app_text = 0;
  std::uint64_t lib_bss = 0;
  std::uint64_t lib_data = 0;
  std::uint64_t lib_text = 0;
  std::uint64_t mapped_file = 0;
  std::uint64_t shared_memory = 0;
  std::uint64_t special = 0;  ///< not in Rss: zero page, hugetlb, device memory
  std::uint64_t unexplained = 0;
};

/// One address space. Kernel threads have none. Without areas, in a recording of physmem-top or if
/// they may not be read, the RegionSums are 0.
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
  std::uint64_t last = 0;    ///< its last byte
  std::uint64_t flags = 0;   ///< area_flag
  std::uint64_t offset = 0;  ///< of start in the file, bytes
  std::uint64_t device_major = 0;
  std::uint64_t device_minor = 0;
  std::uint64_t inode = 0;
  /// Path or label: also of the file to which a bss belongs; empty: none. Valid as long as a copy
  /// of the Snapshot.
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

/// A mapped file that is a program or a library. bss, data, text: distinct frames, which is its
/// cost for the system; nothing without pages.
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
  std::uint64_t uss = 0;  ///< sums over processes
  std::optional<double> pss;
  std::uint64_t rss = 0;
};

/// Any mapped file, or kind of memory without one: "[heap]", "[anon]".
struct MappingRow : MemorySums {
  std::string name;
  std::uint64_t processes = 0;
};

struct UserRow : MemorySums {
  std::optional<std::uint64_t> uid;
  std::uint64_t processes = 0;
  std::uint64_t threads = 0;
};

/// What the processes of a control group use.
struct CgroupRow : MemorySums {
  std::string path;
  std::uint64_t processes = 0;
  std::uint64_t threads = 0;
};

struct RegionRow {
  std::string name;                     ///< "library text"
  std::optional<std::uint64_t> frames;  ///< distinct ones; nothing without pages
  std::uint64_t rss = 0;                ///< sum over processes; of "special", pages outside of Rss
};

/// A class of frames of RAM. The rows add up to SnapshotInfo::ram_frames.
struct LedgerRow {
  std::string name;
  std::uint64_t pages = 0;
  std::optional<std::uint64_t> owned;  ///< with a known owner; nothing: such frames have none
};

/// An owner of frames of RAM.
struct FrameOwnerRow {
  std::string kind;  ///< file, slab, cgroup, task, code, other
  std::string name;
  std::uint64_t pages = 0;
  std::uint64_t mapped = 0;  ///< of them, mapped by a process
  std::uint64_t dirty = 0;
  std::uint64_t active = 0;
  std::string file_system;
  std::uint64_t device_major = 0;
  std::uint64_t device_minor = 0;
  std::uint64_t inode = 0;
  std::uint64_t number = 0;  ///< a control group's id, a task's pid
  std::string state;         ///< "deleted", "dying" or empty
};

/// A counter of the kernel ("mem.MemFree_kB", "vm.pgfault"), or of a note.
struct CounterRow {
  std::string name;
  std::uint64_t value = 0;
};

}  // namespace physmem
