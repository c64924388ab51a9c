// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/errors.h"
#include "program/unique_fd.h"

namespace physmem::collect {

using Pid = std::uint64_t;

/// Result of reading a file of a task, which may end at any moment.
enum class Access {
  kRead,
  kGone,         // the task ended
  kUnsupported,  // the task exists, but this kernel has no such file
  kDenied,       // no permission
  kFailed,       // any other error; see errno
};

/// Converts errno after a failed call on a file of a task.
Access access_of_errno();

/// The text of a whole file. The memory is reused for the next file.
class ReadBuffer {
 public:
  /// Makes room for a file of a known size. Without it the buffer is doubled until the file fits.
  void reserve(std::size_t bytes) { bytes_.resize(bytes); }
  /// Reads from the current position of the file to its end.
  Access fill(int fd);
  /// Reads with a single call, for files of one record, which the kernel returns whole if there is
  /// room.
  Access fill_once(int fd);
  std::string_view text() const { return {bytes_.data(), used_}; }
  /// Gives the bytes away.
  std::vector<char> take() {
    bytes_.resize(std::exchange(used_, 0));
    return std::move(bytes_);
  }

 private:
  std::vector<char> bytes_;
  std::size_t used_ = 0;
};

/// A /proc file system, or a folder with the same structure.
class ProcTree {
 public:
  /// Also of a copy.
  static Result<ProcTree> open(const std::string& root);
  /// Refuses a copy: it lacks most of what is read, and looks like a machine without it.
  static Result<ProcTree> open_running(const std::string& root);

  /// A folder that is no /proc file system.
  bool is_copy() const { return is_copy_; }
  /// Whether its process ids are valid for system calls of this process (kcmp).
  bool is_live() const { return is_live_; }
  int fd() const { return root_.get(); }
  const std::string& name() const { return name_; }
  /// "ROOT/NAME", for messages.
  std::string path(std::string_view name) const { return name_ + "/" + std::string(name); }

 private:
  ProcTree(UniqueFd root, std::string name);

  UniqueFd root_;
  std::string name_;
  bool is_copy_ = false;
  bool is_live_ = false;
};

/// Opens read-only, without following a link in the last part of the path.
UniqueFd open_at(int dir, const char* path);
UniqueFd open_dir_at(int dir, const char* path);
Access read_at(int dir, const char* path, ReadBuffer& into);
/// For files of one record: stat, status and cgroup of a task.
Access read_record_at(int dir, const char* path, ReadBuffer& into);
/// Target of a symbolic link; nothing if it cannot be read.
std::optional<std::string> read_link_at(int dir, const char* path);

/// Lists the numeric names in the folder, ascending: process or thread ids.
Access list_ids(int dir, const char* path, std::vector<Pid>& into);

}  // namespace physmem::collect
