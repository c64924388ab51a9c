// SPDX-License-Identifier: MIT
// The page cache by file: which files, block devices and shared memory fill it, and who maps them.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/cache_kind.h"
#include "analyzer/analyze/mount_points.h"
#include "analyzer/analyze/name_pattern.h"
#include "analyzer/model/ram.h"

namespace physmem {

/// Pages.
struct CacheCounts {
  std::uint64_t pages = 0;
  std::uint64_t mapped = 0;  ///< by at least one process
  std::uint64_t dirty = 0;
  std::uint64_t writeback = 0;  ///< being written to the disk
  std::uint64_t active = 0;     ///< used again recently: the kernel evicts the others first
  /// Of `pages`: those that `mapped` and `active` do not know, because only the file was counted,
  /// and those that `dirty` and `writeback` do not know.
  std::uint64_t without_use = 0;
  std::uint64_t without_states = 0;

  void add(const RamRun& run);
  void add(const FileCounts& counts);
  CacheCounts& operator+=(const CacheCounts& other);
};

struct CachedFile {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;  ///< its size
  CacheKind kind = CacheKind::kFile;
  bool is_deleted = false;
  bool has_whole_path = false;    ///< the name begins at the root of the machine
  std::uint8_t root_size = 0;     ///< how much of the name is MountPoints::root_of()
  std::uint16_t file_system = 0;  ///< PageCache::file_system()
  std::string name;               ///< MountPoints::path_of()

  /// The name without MountPoints::root_of().
  std::string_view path() const { return std::string_view(name).substr(root_size); }
};

struct CacheRow {
  const CachedFile* file = nullptr;
  const CacheCounts* counts = nullptr;
  /// That map frames of it. Nothing if no areas of processes are known.
  std::optional<std::uint64_t> processes;
};

/// Cached pages that a process maps.
struct CacheUser {
  std::uint64_t pid = 0;
  std::string name;
  std::uint64_t files = 0;
  std::uint64_t pages = 0;
  const CachedFile* largest = nullptr;  ///< of these files, the one with most pages; null: unknown
  std::uint64_t largest_pages = 0;
};

/// A process maps a file if one of its areas has frames of it. Device and inode of an area differ
/// from the file's if it is on an overlayfs (or on btrfs), so they decide only where the frames do
/// not: without frame numbers, or if a frame got another owner while the snapshot was taken.
///
/// Memory: some 250 bytes per file, and 80 per area of a file.
class PageCache : public Analysis {
 public:
  /// `only`: patterns of the files that count; empty: all.
  explicit PageCache(std::vector<NamePattern> only = {}) : only_(std::move(only)) {}
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_area(const Process&, const Area& area) override { mounts_.on_area(area.vma); }
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_area_end(const Process& process, const Area& area) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;
  void on_end() override;

  const Header& header() const { return header_; }
  /// Whether files are selected by their names.
  bool is_selection() const { return !only_.empty(); }
  /// Whether the snapshot has R: lines, or files that were counted.
  bool is_known() const {
    return header_.ram == Header::Ram::kAll || header_.files != Header::Files::kNone;
  }
  /// What was asked about files, if they were counted one by one.
  struct Asked {
    std::uint64_t files = 0, pages = 0;  ///< with all their pages, in the cache or not
    std::uint64_t denied = 0;            ///< the kernel did not tell, for want of rights
    std::uint64_t skipped = 0;           ///< on NFS, FUSE and the like
  };
  const Asked& asked() const { return asked_; }
  const std::string& file_system(const CachedFile& file) const {
    return file_systems_[file.file_system];
  }
  /// Files with pages that fit.
  std::size_t count_files(const std::function<bool(const CachedFile&)>& fits) const;
  CacheCounts total() const;
  /// Of the files that are known.
  CacheCounts named() const;
  /// All pages of a kind. Those without a known file count as kFile, kBlock or kTmpfs.
  CacheCounts of(CacheKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  /// Pages of files that are deleted.
  CacheCounts deleted() const;
  /// Pages whose file the snapshot does not know.
  CacheCounts unnamed() const { return unnamed_; }
  /// Whether files are known; otherwise their number and names are not.
  bool has_names() const {
    return header_.files != Header::Files::kNone || unnamed_.pages == 0 ||
           count_files([](const CachedFile&) { return true; }) != 0;
  }

  /// Files with pages, most pages first.
  std::vector<CacheRow> rows() const;
  /// Processes that map cached pages, most pages first.
  std::vector<CacheUser> users() const;

 private:
  /// A file of V:, by device and inode.
  struct FileId {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    bool operator==(const FileId&) const = default;
  };
  struct FileIdHash {
    std::size_t operator()(const FileId& id) const {
      return id.inode * 0x9E3779B97F4A7C15 ^ id.device;
    }
  };
  /// An area with pages of a file.
  struct Use {
    std::uint32_t process = 0;  ///< index in processes_
    FileId id;                  ///< as V: has it
    std::uint64_t pages = 0;
    std::array<std::size_t, 2> files;  ///< those that have its first and its last frame, by R:
  };
  struct Probe {
    std::uint64_t pfn = 0;
    std::size_t use = 0;
    std::size_t end = 0;  ///< 0: the first frame of the area; 1: its last one
  };
  struct FileUse {
    std::size_t file = 0;  ///< index in files_
    std::uint32_t process = 0;
    std::uint64_t pages = 0;
  };
  struct Mapper {
    std::uint64_t pid = 0;
    std::string name;
  };

  bool fits(const std::string& name) const;
  void add_file(const RamOwner& owner, bool has_whole_path, std::size_t root_size,
                std::string name);
  void take_named_from_unnamed();
  static constexpr std::size_t kNoFile = std::numeric_limits<std::size_t>::max();
  std::size_t file_of(std::uint64_t owner) const;
  void note_file(const RamRun& run, std::size_t file);
  std::span<const FileUse> uses_of(std::size_t file) const;
  std::uint16_t file_system_of(const std::string& name);

  std::vector<NamePattern> only_;
  Header header_;
  std::deque<CachedFile> files_;    ///< a vector would need twice the memory while it grows
  std::vector<std::uint64_t> ids_;  ///< their owner ids, ascending
  std::deque<CacheCounts> counts_;  ///< of each of them
  std::array<CacheCounts, kCacheKinds> kinds_{};
  CacheCounts unnamed_;
  Asked asked_;
  std::uint64_t cached_kb_ = 0, buffers_kb_ = 0;  ///< of the machine, by meminfo
  std::vector<std::string> file_systems_;
  MountPoints mounts_;
  bool has_areas_ = false;
  std::vector<Mapper> processes_;
  std::vector<Use> uses_;
  /// The first and the last frame with a page of the file in the area that is being read.
  std::optional<std::array<std::uint64_t, 2>> frames_;
  std::vector<Probe> probes_;
  std::size_t next_probe_ = 0;
  bool has_runs_ = false;
  std::vector<FileUse> file_uses_;  ///< ordered by file
};

}  // namespace physmem
