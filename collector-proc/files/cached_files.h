// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "collector-proc/counters_reader.h"
#include "collector-proc/files/cached_pages.h"
#include "collector-proc/files/file_facts.h"
#include "collector-proc/files/process_mounts.h"
#include "collector-proc/maps_reader.h"
#include "collector-proc/proc_tree.h"
#include "formats/emit/ram.h"
#include "program/errors.h"

namespace physmem::collect {

/// Files that can be found without the kernel's memory, and how many of their pages are cached:
/// those that processes have open or mapped, also deleted ones, or those of named paths. A file is
/// asked about once. Nothing is read from it, and its time of access stays where the kernel allows
/// that (O_NOATIME).
///
/// Memory: some 80 bytes for each file.
class CachedFiles {
 public:
  /// Writes O: lines with ids from 1 on.
  CachedFiles(const ProcTree& tree, std::uint64_t page_size, pm_out& out);

  /// Writes the files of all processes that have cached pages.
  Status write_open(const std::function<Status()>& go_on);
  /// Writes a file, or the files below a folder that have cached pages. Other file systems that are
  /// mounted below it are left out.
  Status write_named(const std::string& path, const std::function<Status()>& go_on);

  std::uint64_t owners() const { return writer_.owners; }
  /// files.asked, files.pages, files.denied, files.skipped
  std::vector<Counter> counters() const;

 private:
  /// What is known of a file from where it was found.
  struct Place {
    std::string name;            ///< as the user knows it
    std::string type;            ///< of its file system
    const Area* area = nullptr;  ///< that maps it
    bool is_named = false;       ///< written also without a cached page
  };
  using FileId = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;

  void write_mapped(const std::string& process);
  void write_descriptors(const std::string& process);
  Status write_below(const std::string& folder, const FileFacts& top, const std::string& type,
                     const std::function<Status()>& go_on);
  void ask_at(const std::string& path, const Place& place);
  void ask(int handle, const Place& place);
  void write(const Place& place, const FileFacts& facts, const CachedPages& pages);

  const ProcTree& tree_;
  std::uint64_t page_size_;
  pm_ram_writer writer_{};
  ProcessMounts mounts_;
  std::set<FileId> seen_;
  std::uint64_t asked_ = 0, pages_ = 0;
  std::uint64_t denied_ = 0;       ///< not opened for want of rights, or the kernel does not tell
  std::set<std::string> skipped_;  ///< names of files on NFS, FUSE and the like
};

}  // namespace physmem::collect
