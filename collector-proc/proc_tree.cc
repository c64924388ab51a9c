// SPDX-License-Identifier: MIT
#include "collector-proc/proc_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <memory>

#include "program/signals.h"

namespace physmem::collect {
namespace {

// Seq files return about one page per read. A larger buffer does not save calls there, but has room
// for large files.
constexpr std::size_t kFirstSize = std::size_t{64} << 10;

std::optional<Pid> parse_id(std::string_view name) {
  Pid id = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (error != std::errc() || end != name.data() + name.size() || id == 0) return std::nullopt;
  return id;
}

}  // namespace

Access access_of_errno() {
  switch (errno) {
    case ENOENT:
    case ESRCH:
    case ENOTDIR:
      return Access::kGone;
    case EACCES:
    case EPERM:
      return Access::kDenied;
    default:
      return Access::kFailed;
  }
}

Access ReadBuffer::fill_once(int fd) {
  used_ = 0;
  if (bytes_.empty()) bytes_.resize(kFirstSize);
  for (;;) {
    const ssize_t got = ::read(fd, bytes_.data(), bytes_.size());
    if (got < 0 && errno == EINTR && !interrupted()) continue;
    if (got < 0) return access_of_errno();
    used_ = static_cast<std::size_t>(got);
    return Access::kRead;
  }
}

Access ReadBuffer::fill(int fd) {
  used_ = 0;
  if (bytes_.empty()) bytes_.resize(kFirstSize);
  for (;;) {
    if (used_ == bytes_.size()) bytes_.resize(bytes_.size() * 2);
    const ssize_t got = ::read(fd, bytes_.data() + used_, bytes_.size() - used_);
    if (got < 0 && errno == EINTR && !interrupted()) continue;
    if (got < 0) return access_of_errno();
    if (got == 0) return Access::kRead;
    used_ += static_cast<std::size_t>(got);
  }
}

ProcTree::ProcTree(UniqueFd root, std::string name)
    : root_(std::move(root)), name_(std::move(name)) {
  struct statfs fs {};
  is_copy_ = ::fstatfs(root_.get(), &fs) != 0 || fs.f_type != PROC_SUPER_MAGIC;
  if (is_copy_) return;
  // In the /proc of another pid namespace, processes have other ids.
  is_live_ = read_link_at(root_.get(), "self") == std::to_string(::getpid());
}

Result<ProcTree> ProcTree::open(const std::string& root) {
  UniqueFd fd(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return io_error("open the folder " + root, errno, "--root requires a /proc tree");
  return ProcTree(std::move(fd), root);
}

Result<ProcTree> ProcTree::open_running(const std::string& root) {
  Result<ProcTree> tree = open(root);
  if (tree && tree->is_copy())
    return bad_input(root +
                     " is a folder of files, expected the /proc file system of a running "
                     "kernel: a copy has no page tables");
  return tree;
}

UniqueFd open_at(int dir, const char* path) {
  return UniqueFd(::openat(dir, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
}

UniqueFd open_dir_at(int dir, const char* path) {
  return UniqueFd(::openat(dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
}

Access read_at(int dir, const char* path, ReadBuffer& into) {
  const UniqueFd fd = open_at(dir, path);
  return fd ? into.fill(fd.get()) : access_of_errno();
}

Access read_record_at(int dir, const char* path, ReadBuffer& into) {
  const UniqueFd fd = open_at(dir, path);
  return fd ? into.fill_once(fd.get()) : access_of_errno();
}

std::optional<std::string> read_link_at(int dir, const char* path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t length = ::readlinkat(dir, path, target.data(), target.size());
  if (length < 0) return std::nullopt;
  return std::string(target.data(), static_cast<std::size_t>(length));
}

Access list_ids(int dir, const char* path, std::vector<Pid>& into) {
  into.clear();
  UniqueFd fd = open_dir_at(dir, path);
  if (!fd) return access_of_errno();
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(fd.get()), ::closedir);
  if (!folder) return Access::kFailed;
  fd.release();
  while (const dirent* entry = ::readdir(folder.get())) {
    if (const auto id = parse_id(entry->d_name)) into.push_back(*id);
  }
  std::sort(into.begin(), into.end());
  return Access::kRead;
}

}  // namespace physmem::collect
