// SPDX-License-Identifier: MIT
#include "collector-proc/files/process_mounts.h"

#include "collector-proc/text_cursor.h"

namespace physmem::collect {

void ProcessMounts::learn(const std::string& process) {
  const auto name = read_link_at(tree_.fd(), (process + "/ns/mnt").c_str());
  if (!namespaces_.insert(name.value_or("")).second) return;
  if (read_at(tree_.fd(), (process + "/mountinfo").c_str(), text_) == Access::kRead)
    mounts_.add(text_.text());
}

const FileSystem* ProcessMounts::of_descriptor(const std::string& process, Pid descriptor) {
  const std::string path = process + "/fdinfo/" + std::to_string(descriptor);
  if (read_at(tree_.fd(), path.c_str(), text_) != Access::kRead) return nullptr;
  const auto mount = number_of_line(text_.text(), "mnt_id:");
  return mount ? mounts_.of_mount(*mount) : nullptr;
}

}  // namespace physmem::collect
