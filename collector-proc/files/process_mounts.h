// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include "collector-proc/files/mount_table.h"
#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// The mounted file systems of processes, each namespace of mounts once.
class ProcessMounts {
 public:
  explicit ProcessMounts(const ProcTree& tree) : tree_(tree) {}

  /// `process`: its folder in the tree.
  void learn(const std::string& process);
  /// Of a file that a process has open, without asking the file system. nullptr: not known.
  const FileSystem* of_descriptor(const std::string& process, Pid descriptor);
  const MountTable& table() const { return mounts_; }

 private:
  const ProcTree& tree_;
  MountTable mounts_;
  std::set<std::string> namespaces_;  ///< that are known
  ReadBuffer text_;
};

}  // namespace physmem::collect
