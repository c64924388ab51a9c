// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector-proc/result.h"
#include "program/unique_fd.h"

namespace physmem::collect {

using Pid = std::uint64_t;

/// What became of an attempt to read a file of a task, which may end at any moment.
enum class Access {
  kRead,
  kGone,    // the task ended
  kDenied,  // we may not look into it
  kFailed,  // anything else; errno says what
};

/// What errno says after a failed call on a file of a task.
Access access_of_errno();

/// Text of one file, read whole. The memory is kept from file to file.
class ReadBuffer {
 public:
  /// From the present position of the file to its end.
  Access fill(int fd);
  /// One read: enough for a file of one record, which the kernel gives whole when there is room.
  Access fill_once(int fd);
  std::string_view text() const { return {bytes_.data(), used_}; }

 private:
  std::vector<char> bytes_;
  std::size_t used_ = 0;
};

/// A /proc file system, or a folder that looks like one.
class ProcTree {
 public:
  static Result<ProcTree> open(const std::string& root);

  /// Whether process ids in it are those of our own system calls (kcmp).
  bool is_live() const { return is_live_; }
  int fd() const { return root_.get(); }
  const std::string& name() const { return name_; }
  /// "ROOT/NAME", for messages.
  std::string path(std::string_view name) const { return name_ + "/" + std::string(name); }

 private:
  ProcTree(UniqueFd root, std::string name);

  UniqueFd root_;
  std::string name_;
  bool is_live_ = false;
};

/// Read-only, never following a link in the last part of the path.
UniqueFd open_at(int dir, const char* path);
UniqueFd open_dir_at(int dir, const char* path);
Access read_at(int dir, const char* path, ReadBuffer& into);
/// stat, status and cgroup of a task: files of one record.
Access read_record_at(int dir, const char* path, ReadBuffer& into);
/// Target of a symbolic link; nothing when it cannot be read.
std::optional<std::string> read_link_at(int dir, const char* path);

/// Names in the folder that are numbers, ascending: process or thread ids.
Access list_ids(int dir, const char* path, std::vector<Pid>& into);

}  // namespace physmem::collect
