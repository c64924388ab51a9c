// SPDX-License-Identifier: MIT
#include "collector-proc/files/cached_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "collector-proc/files/cached_pages.h"
#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

constexpr std::string_view kDeleted = " (deleted)";

/// Files that the kernel keeps in a tmpfs without a place: mm/memfd.c, ipc/shm.c, mm/shmem.c.
bool is_internal_tmpfs(std::string_view name) {
  return name.starts_with("/memfd:") || name.starts_with("/SYSV") ||
         name.starts_with("/dev/zero (deleted)");
}

bool is_denied(int error) {
  return error == EACCES || error == EPERM;
}

/// Pages of hugetlbfs are no page cache.
bool is_hugetlb(int file) {
  struct statfs facts {};
  return ::fstatfs(file, &facts) == 0 &&
         static_cast<std::uint32_t>(facts.f_type) == HUGETLBFS_MAGIC;
}

/// For reading, without waiting for anything.
UniqueFd open_quietly(int handle) {
  constexpr int kHow = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const std::string path = "/proc/self/fd/" + std::to_string(handle);
  UniqueFd file(::open(path.c_str(), kHow | O_NOATIME));
  if (!file && errno == EPERM) file = UniqueFd(::open(path.c_str(), kHow));
  return file;
}

bool is_same_device(const FileFacts& a, const FileFacts& b) {
  return a.dev_major == b.dev_major && a.dev_minor == b.dev_minor;
}

pm_text text_of(std::string_view text) {
  return {text.data(), text.size()};
}

/// "7f0012340000-7f0012350000", as in /proc/PID/map_files.
std::string range_of(const Area& area) {
  std::array<char, 40> text{};
  const int length = std::snprintf(text.data(), text.size(), "%llx-%llx",
                                   static_cast<unsigned long long>(area.start),
                                   static_cast<unsigned long long>(area.end));
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace

CachedFiles::CachedFiles(const ProcTree& tree, std::uint64_t page_size, pm_out& out)
    : tree_(tree), page_size_(page_size), mounts_(tree) {
  pm_ram_begin(&writer_, &out);
}

std::vector<Counter> CachedFiles::counters() const {
  return {{"files.asked", asked_},
          {"files.pages", pages_},
          {"files.denied", denied_},
          {"files.skipped", skipped_.size()}};
}

/// A path in the tree, also of a link to an open or mapped file.
void CachedFiles::ask_at(const std::string& path, const Place& place) {
  const UniqueFd handle = handle_of(tree_.fd(), path);
  denied_ += !handle && is_denied(errno) ? 1 : 0;
  if (handle) ask(handle.get(), place);
}

void CachedFiles::ask(int handle, const Place& place) {
  const auto facts = facts_of(handle);
  if (!facts) return;
  const bool is_block = facts->kind == FileFacts::Kind::kBlockDevice;
  if (!is_block && facts->kind != FileFacts::Kind::kRegular) return;
  // Another file can have taken the place of one that a process maps.
  if (place.area != nullptr && place.area->inode != facts->inode) {
    ++denied_;
    return;
  }
  // All nodes of a block device have the same pages.
  const FileId id = is_block ? FileId(facts->block_major, facts->block_minor, 0)
                             : FileId(facts->dev_major, facts->dev_minor, facts->inode);
  if (!seen_.insert(id).second) return;
  const UniqueFd file = open_quietly(handle);
  if (file && is_hugetlb(file.get())) return;
  const auto pages = file ? cached_pages(file.get(), page_size_) : std::nullopt;
  if (!pages) {
    ++denied_;
    return;
  }
  ++asked_;
  pages_ += (facts->bytes + page_size_ - 1) / page_size_;
  if (pages->pages != 0 || place.is_named) write(place, *facts, *pages);
}

void CachedFiles::write(const Place& place, const FileFacts& facts, const CachedPages& pages) {
  std::string_view name = place.name;
  if (facts.links == 0 && name.ends_with(kDeleted)) name.remove_suffix(kDeleted.size());
  const bool is_mapped = place.area != nullptr;
  pm_ram_owner owner{};
  owner.kind = PM_OWNER_FILE;
  owner.id = writer_.owners + 1;
  owner.name = text_of(name);
  owner.file_system =
      text_of(facts.kind == FileFacts::Kind::kBlockDevice ? "bdev" : std::string_view(place.type));
  // As in V:, which can differ from what stat shows.
  owner.dev_major = is_mapped ? place.area->dev_major : facts.dev_major;
  owner.dev_minor = is_mapped ? place.area->dev_minor : facts.dev_minor;
  owner.inode = facts.inode;
  owner.bytes = facts.bytes;
  owner.links = facts.links;
  owner.is_counted = true;
  owner.has_states = pages.dirty.has_value();
  owner.cached = pages.pages;
  owner.dirty = pages.dirty.value_or(0);
  owner.writeback = pages.writeback.value_or(0);
  pm_ram_put_owner(&writer_, &owner);
}

/// By the place in map_files, which only CAP_SYS_ADMIN may open, else by its path.
void CachedFiles::write_mapped(const std::string& process) {
  ReadBuffer text;
  AreaList areas;
  if (read_at(tree_.fd(), (process + "/maps").c_str(), text) != Access::kRead) return;
  if (!parse_maps(text.text(), areas)) return;
  for (const Area& area : areas.areas()) {
    const FileId id(area.dev_major, area.dev_minor, area.inode);
    if (!area.unit.starts_with('/') || seen_.contains(id)) continue;
    const FileSystem* const known = mounts_.table().of_device(area.dev_major, area.dev_minor);
    const FileSystem on = is_internal_tmpfs(area.unit) ? FileSystem{"tmpfs"}
                          : known != nullptr           ? *known
                                                       : FileSystem{"unknown", area.dev_major};
    if (!on.has_cached_files()) {
      if (on.is_served()) skipped_.emplace(area.unit);
    } else {
      std::string path = process + "/map_files/" + range_of(area);
      if (::faccessat(tree_.fd(), path.c_str(), F_OK, 0) != 0)
        path = process + "/root" + std::string(area.unit);
      ask_at(path, {.name = std::string(area.unit), .type = on.type, .area = &area});
    }
    seen_.insert(id);
  }
}

void CachedFiles::write_descriptors(const std::string& process) {
  std::vector<Pid> descriptors;
  if (list_ids(tree_.fd(), (process + "/fd").c_str(), descriptors) != Access::kRead) return;
  for (const Pid descriptor : descriptors) {
    const std::string path = process + "/fd/" + std::to_string(descriptor);
    const auto name = read_link_at(tree_.fd(), path.c_str());
    if (!name || !name->starts_with('/')) continue;
    const FileSystem* const known = mounts_.of_descriptor(process, descriptor);
    const bool is_internal = is_internal_tmpfs(*name);
    if (known != nullptr && known->is_served()) skipped_.insert(*name);
    if (!is_internal && (known == nullptr || !known->has_cached_files())) continue;
    ask_at(path, {.name = *name, .type = is_internal ? "tmpfs" : known->type});
  }
}

Status CachedFiles::write_open(const std::function<Status()>& go_on) {
  std::vector<Pid> pids;
  if (list_ids(tree_.fd(), ".", pids) != Access::kRead)
    return io_error("list " + tree_.name(), errno);
  for (const Pid pid : pids) {
    const std::string process = std::to_string(pid);
    mounts_.learn(process);
    write_mapped(process);
    write_descriptors(process);
    if (Status status = go_on(); !status) return status;
  }
  return {};
}

/// A link is not followed, and another file system not entered.
Status CachedFiles::write_below(const std::string& folder, const FileFacts& top,
                                const std::string& type, const std::function<Status()>& go_on) {
  std::vector<std::string> folders{folder};
  while (!folders.empty()) {
    const std::string in = std::move(folders.back());
    folders.pop_back();
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(in.c_str()), &::closedir);
    denied_ += !entries && is_denied(errno) ? 1 : 0;
    while (const dirent* const entry = entries ? ::readdir(entries.get()) : nullptr) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      const std::string path = (in == "/" ? "" : in) + "/" + std::string(name);
      const UniqueFd handle = handle_of(AT_FDCWD, path, O_NOFOLLOW);
      const auto facts = handle ? facts_of(handle.get()) : std::nullopt;
      if (!facts || !is_same_device(*facts, top)) continue;
      if (facts->kind == FileFacts::Kind::kFolder) folders.push_back(path);
      if (facts->kind == FileFacts::Kind::kRegular) ask(handle.get(), {.name = path, .type = type});
    }
    if (Status status = go_on(); !status) return status;
  }
  return {};
}

Status CachedFiles::write_named(const std::string& path, const std::function<Status()>& go_on) {
  const std::unique_ptr<char, void (*)(void*)> whole(::realpath(path.c_str(), nullptr), &::free);
  const UniqueFd handle = whole ? handle_of(AT_FDCWD, whole.get()) : UniqueFd();
  const auto facts = handle ? facts_of(handle.get()) : std::nullopt;
  if (!facts) return io_error("find " + path, errno);
  mounts_.learn("self");
  const FileSystem* const on = mounts_.of_descriptor("self", static_cast<Pid>(handle.get()));
  if (on == nullptr || !(on->has_cached_files() || on->is_served()))
    return Error{Error::Kind::kIo, path + " is on a file system of type " +
                                       (on == nullptr ? "unknown" : on->type) +
                                       ", which has no pages in the page cache"};
  if (facts->kind == FileFacts::Kind::kFolder)
    return write_below(whole.get(), *facts, on->type, go_on);
  ask(handle.get(), {.name = whole.get(), .type = on->type, .is_named = true});
  return go_on();
}

}  // namespace physmem::collect
