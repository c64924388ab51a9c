// SPDX-License-Identifier: MIT
// Pages of owners and classes of RAM over the snapshots of one boot.
//
// A subject has a parent that its pages are a part of:
//
//   file in the page cache → its folder → … → / of its file system → the page cache
//   file of a tmpfs, memfd … → its file system → class shmem
//   slab cache that the kernel cannot reclaim → the sum of these
//   code → its class; page tables of a process → class pgtable
//
// Memory: a subject without children in the list above is followed from the first snapshot on in
// which it has min_leak() pages (leak_verdict.h), and folders likewise. What was smaller before
// counts as missing, not as 0. A subject that has had no page for kMaxEmpty snapshots is dropped.
// So memory depends on the owners that are large at some time, not on those that exist: some 300
// bytes for each, and 16 bytes per snapshot.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace physmem {

enum class RamKind {
  kCacheFile,  ///< pages in the page cache that no process maps
  kSharedFile,
  kSlab,
  kCode,
  kPageTables,  ///< of a process
  kCacheFolder,
  kCache,
  kSharedFileSystem,
  kClass,
};

/// What is followed. Which members are used depends on the kind.
struct RamSubject {
  RamKind kind = RamKind::kClass;
  std::string name;          ///< path, slab cache, code, class
  std::string detail = {};   ///< type of the file system; of code, its class
  std::uint64_t device = 0;  ///< of files; of page tables, the start time of the process
  std::uint64_t number = 0;  ///< inode; of page tables, the process id

  auto operator<=>(const RamSubject&) const = default;
};

struct RamSeriesEntry {
  const RamSubject* subject = nullptr;
  RamSeriesEntry* parent = nullptr;
  std::string process = {};          ///< name of the process, of page tables
  bool is_reclaimable_slab = false;  ///< slab_reclaim.h
  std::size_t first = 0;             ///< number of the first sample, from 0
  std::size_t last_used = 0;  ///< number of the last sample with pages of it or of its children
  std::vector<std::uint64_t> pages = {};
  std::vector<std::uint64_t> unmapped = {};  ///< of them, those that no process maps
};

/// Pages of a subject in one snapshot.
struct SubjectPages {
  std::uint64_t pages = 0;
  std::uint64_t unmapped = 0;

  SubjectPages& operator+=(const SubjectPages& other) {
    pages += other.pages;
    unmapped += other.unmapped;
    return *this;
  }
};

class RamSeries {
 public:
  static constexpr std::size_t kMaxEmpty = 8;

  void clear() { *this = {}; }
  /// Begins a snapshot. A subject is followed from this number of pages on.
  void begin_sample(double min_pages);
  /// The pages of a subject in this snapshot. A parent must be added before its children, also if
  /// it has fewer pages than are followed. Returns nothing for a subject that is not followed.
  RamSeriesEntry* add(RamSubject subject, SubjectPages pages, RamSeriesEntry* parent);
  /// Follows a subject even without pages: classes and the page cache.
  RamSeriesEntry* add_always(RamSubject subject, SubjectPages pages);
  void end_sample();

  std::size_t samples() const { return samples_; }
  /// Children before their parents.
  std::vector<const RamSeriesEntry*> bottom_up() const;

 private:
  RamSeriesEntry* put(RamSubject&& subject, SubjectPages pages, RamSeriesEntry* parent);

  std::size_t samples_ = 0;
  double min_pages_ = 0;
  std::map<RamSubject, RamSeriesEntry> entries_;
};

}  // namespace physmem
