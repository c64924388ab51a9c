// SPDX-License-Identifier: MIT
// Which pages of a file are in the page cache, 64 per line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/process/map_line.h"
#include "analyzer/analyze/ram/page_cache.h"

namespace physmem {

/// Files of one path, in one or more snapshots: several file systems can have it, and a deleted
/// file and its successor. Memory: 24 bytes per run of these files, and some 300 per file.
class FileMap : public Analysis {
 public:
  struct File {
    RamOwner owner;
    std::string path;  ///< as it is shown
    CacheCounts counts;
    std::size_t snapshot = 1;  ///< number in the series
    /// Length of the map: the file's size, or more if pages beyond it are cached.
    std::uint64_t pages = 0;
  };

  /// `path`: the whole name of files, or its end, from a '/' on.
  explicit FileMap(std::string path) : path_(std::move(path)) {}

  void on_header(const Header& header) override;
  void on_area(const Process&, const Area& area) override { mounts_.on_area(area.vma); }
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;

  const Header& header() const { return header_; }
  const std::string& path() const { return path_; }
  bool is_known() const { return header_.ram == Header::Ram::kAll; }
  /// Whether the snapshots name any cached file.
  bool has_names() const { return has_names_; }
  std::size_t files() const { return files_.size(); }
  std::size_t snapshots() const { return snapshots_; }
  using FileVisit = std::function<void(const File&)>;
  using LineVisit = std::function<void(const File&, const MapLine&)>;
  /// A cell is the number of processes that map the page; 0: it is cached, and no process maps it.
  void for_each(const FileVisit& on_file, const LineVisit& on_line) const;

 private:
  struct Run {
    std::uint64_t place = 0;
    std::uint64_t pages = 0;
    char cell = '0';
  };
  struct Mapped {
    File file;
    std::vector<Run> runs;
  };

  std::size_t snapshots_ = 0;
  bool has_names_ = false;
  Header header_;
  std::string path_;
  MountPoints mounts_;
  std::vector<Mapped> files_;
  std::unordered_map<std::uint64_t, std::size_t> by_id_;  ///< files of the current snapshot
};

}  // namespace physmem
