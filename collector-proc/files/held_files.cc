// SPDX-License-Identifier: MIT
#include "collector-proc/files/held_files.h"

#include <string_view>

#include "collector-proc/files/file_facts.h"
#include "formats/emit/ram.h"

namespace physmem::collect {
namespace {

constexpr const char* kMemfdFile = "memfd";
constexpr const char* kTmpfsFile = "tmpfs";
constexpr const char* kHugetlbFile = "hugetlb";
constexpr const char* kDeletedFile = "deleted";
constexpr const char* kDmaBuf = "dmabuf";

}  // namespace

/// nullptr: no memory, or a file of which nothing may be asked, because another machine may have to
/// answer.
const char* HeldFiles::kind_of(const std::string& process, Pid descriptor,
                               const std::string& name) {
  if (name.starts_with("/memfd:")) return kMemfdFile;
  if (name.starts_with("/SYSV")) return "system_v";
  if (name.starts_with("/dmabuf:")) return kDmaBuf;
  const FileSystem* const on = mounts_.of_descriptor(process, descriptor);
  if (on == nullptr) return nullptr;
  if (on->type == "hugetlbfs") return kHugetlbFile;
  if (on->type == "tmpfs" || on->type == "devtmpfs") return kTmpfsFile;
  return on->has_cached_files() && name.ends_with(" (deleted)") ? kDeletedFile : nullptr;
}

void HeldFiles::write_descriptor(Pid pid, Pid descriptor) {
  const std::string process = std::to_string(pid);
  const std::string path = process + "/fd/" + std::to_string(descriptor);
  const auto name = read_link_at(tree_.fd(), path.c_str());
  if (!name || !name->starts_with('/')) return;
  const char* kind = kind_of(process, descriptor, *name);
  if (kind == nullptr) return;
  const UniqueFd handle = handle_of(tree_.fd(), path);
  const auto facts = handle ? facts_of(handle.get()) : std::nullopt;
  if (!facts || (facts->kind != FileFacts::Kind::kRegular && kind != kDmaBuf)) return;
  if (kind == kMemfdFile && is_hugetlb(handle.get())) kind = kHugetlbFile;
  pm_holder holder{};
  holder.pid = pid;
  holder.descriptor = descriptor;
  holder.kind = kind;
  holder.dev_major = facts->dev_major;
  holder.dev_minor = facts->dev_minor;
  holder.inode = facts->inode;
  holder.bytes = facts->bytes;
  // On a disk, blocks are no memory. A dma-buf has all of its pages.
  holder.has_pages = kind != kDeletedFile;
  holder.pages = (kind == kDmaBuf ? facts->bytes : facts->block_bytes) / page_size_;
  holder.name = {name->data(), name->size()};
  pm_emit_holder(&out_, &holder);
}

void HeldFiles::write_of(Pid pid) {
  const std::string process = std::to_string(pid);
  std::vector<Pid> descriptors;
  const Access access = list_ids(tree_.fd(), (process + "/fd").c_str(), descriptors);
  denied_ += access == Access::kDenied ? 1 : 0;
  if (access != Access::kRead) return;
  mounts_.learn(process);
  descriptors_ += descriptors.size();
  for (const Pid descriptor : descriptors) write_descriptor(pid, descriptor);
}

Status HeldFiles::write(const std::vector<Pid>& pids, const std::function<Status()>& go_on) {
  for (const Pid pid : pids) {
    write_of(pid);
    if (Status status = go_on(); !status) return status;
  }
  return {};
}

std::vector<Counter> HeldFiles::counters() const {
  return {{"holders.descriptors", descriptors_}, {"holders.denied", denied_}};
}

}  // namespace physmem::collect
