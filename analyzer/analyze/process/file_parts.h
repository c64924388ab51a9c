// SPDX-License-Identifier: MIT
// Which processes map which part of a file.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/name_pattern.h"
#include "analyzer/analyze/unit_names.h"

namespace physmem {

/// Adjacent pages of a file that the same processes map. Pages that a process has changed in its
/// private mapping are its own anonymous memory, and no part of the file.
struct FilePart {
  std::string file;          ///< of several files with one path, with device and inode
  std::uint64_t offset = 0;  ///< in the file, bytes
  std::uint64_t pages = 0;
  std::vector<std::uint32_t> processes = {};  ///< indices in FileParts::processes(), ascending
};

/// Memory: 32 bytes for each run of pages of these files. parts(): 4 bytes for each part and
/// process that maps it.
class FileParts : public Analysis {
 public:
  /// Of files that one of these patterns fits.
  explicit FileParts(std::vector<NamePattern> files) : files_(std::move(files)) {}

  void on_header(const Header& header) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_process(const Process& process) override;

  bool is_known() const { return header_.has_pages && header_.stable_flags; }
  bool has_files() const { return !edges_.empty(); }
  /// By file and offset.
  std::vector<FilePart> parts() const;
  struct Mapper {
    std::uint64_t pid = 0;
    std::string command;
  };
  const std::vector<Mapper>& processes() const { return processes_; }

 private:
  /// Where the mapping of a process begins or ends.
  struct Edge {
    std::uint64_t page = 0;
    std::uint32_t process = 0;
    bool is_begin = false;
    auto operator<=>(const Edge&) const = default;
  };

  void add_parts(const std::string& file, std::vector<Edge> edges,
                 std::vector<FilePart>& parts) const;

  std::vector<NamePattern> files_;
  Header header_;
  std::map<UnitKey, std::vector<Edge>> edges_;
  UnitNames names_;
  std::vector<Mapper> processes_;
};

}  // namespace physmem
