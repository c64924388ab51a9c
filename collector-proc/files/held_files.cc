// SPDX-License-Identifier: MIT
#include "collector-proc/files/held_files.h"

#include <sys/mman.h>
#include "formats/emit/ram.h"
#include "program/unique_fd.h"

namespace physmem::collect {
namespace {

constexpr const char* kMemfdFile = "memfd";
constexpr const char* kTmpfsFile = "tmpfs";
constexpr const char* kHugetlbFile = "hugetlb";
constexpr const char* kDeletedFile = "deleted";
constexpr const char* kDmaBuf = "dmabuf";
using FileSystemId = std::pair<std::uint32_t, std::uint32_t>;

/// The file system in which the kernel makes files of this kind.
FileSystemId file_system_of_memfd(unsigned flags) {
  const UniqueFd file(::memfd_create("physmem", MFD_CLOEXEC | flags));
  const auto facts = file ? facts_of(file.get()) : std::nullopt;
  return facts ? FileSystemId(facts->dev_major, facts->dev_minor) : FileSystemId();
}

}  // namespace

HeldFiles::HeldFiles(const ProcTree& tree, std::uint64_t page_size, pm_out& out)
    : tree_(tree),
      page_size_(page_size),
      out_(out),
      mounts_(tree),
      internal_tmpfs_(file_system_of_memfd(0)),
      internal_hugetlb_(file_system_of_memfd(MFD_HUGETLB)) {}

/// nullptr: no memory. By the file system, because any file can have any name; one that is not
/// mounted where a process sees it is the kernel's own.
const char* HeldFiles::kind_of(const FileSystem* on, const FileFacts& facts,
                               std::string_view name) const {
  const FileSystemId id(facts.dev_major, facts.dev_minor);
  if (id == internal_tmpfs_) return name.starts_with("/SYSV") ? "system_v" : kMemfdFile;
  if (id == internal_hugetlb_ || (on != nullptr && on->type == "hugetlbfs")) return kHugetlbFile;
  if (on == nullptr) return name.starts_with("/dmabuf:") ? kDmaBuf : nullptr;
  if (on->type == "tmpfs" || on->type == "devtmpfs") return kTmpfsFile;
  return on->has_cached_files() && name.ends_with(" (deleted)") ? kDeletedFile : nullptr;
}

void HeldFiles::write_descriptor(Pid pid, Pid descriptor) {
  const std::string process = std::to_string(pid);
  const std::string path = process + "/fd/" + std::to_string(descriptor);
  const auto name = read_link_at(tree_.fd(), path.c_str());
  if (!name || !name->starts_with('/')) return;
  const FileSystem* const on = mounts_.of_descriptor(process, descriptor);
  // A file that another machine or a program answers for is not asked about.
  if (on != nullptr && on->is_served()) return;
  const UniqueFd handle = handle_of(tree_.fd(), path);
  const auto facts = handle ? facts_of(handle.get()) : std::nullopt;
  const char* const kind = facts ? kind_of(on, *facts, *name) : nullptr;
  if (kind == nullptr || (facts->kind != FileFacts::Kind::kRegular && kind != kDmaBuf)) return;
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
