// SPDX-License-Identifier: MIT
#include "program/output_place.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <string_view>
#include <utility>

namespace physmem {
namespace {

/// The kernel's limit, too.
constexpr int kMaxLinks = 40;

std::optional<int> own_descriptor(std::string_view path) {
  if (path.empty() || path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(prefix)) continue;
    const std::string_view digits = path.substr(prefix.size());
    int number = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc{} && end == digits.data() + digits.size() && number >= 0) return number;
  }
  return std::nullopt;
}

std::string of_user(uid_t user) {
  return "of user " + std::to_string(user);
}

/// The links in /proc/PID lead to open files and other roots, not to the path that readlink()
/// returns.
bool is_in_proc(int folder) {
  struct statfs system {};
  return ::fstatfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

class Walk {
 public:
  explicit Walk(std::string path) : rest_(std::move(path)) {}

  OutputPlace operator()() {
    place_.descriptor = own_descriptor(rest_);
    if (!place_.descriptor) begin();
    while (is_walking() && take_component()) step();
    if (!place_.problem.empty() || place_.descriptor) place_.folder.reset();
    return std::move(place_);
  }

 private:
  bool is_walking() const { return place_.problem.empty() && !place_.descriptor && !is_found_; }

  void fail(int error) { place_.problem = std::strerror(error); }

  void begin() {
    place_.folder.reset(
        ::open(rest_.starts_with('/') ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!place_.folder) fail(errno);
  }

  /// Moves the next component from rest_ to name. A path that ends in a slash names a directory.
  bool take_component() {
    const std::size_t begin = rest_.find_first_not_of('/');
    if (begin == std::string::npos) {
      fail(EISDIR);
      return false;
    }
    const std::size_t end = std::min(rest_.find('/', begin), rest_.size());
    place_.name = rest_.substr(begin, end - begin);
    rest_.erase(0, end);
    return true;
  }

  void step() {
    UniqueFd next(
        ::openat(place_.folder.get(), place_.name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat found {};
    if (!next) return errno == ENOENT && rest_.empty() ? void(is_found_ = true) : fail(errno);
    if (::fstat(next.get(), &found) != 0) return fail(errno);
    if (S_ISLNK(found.st_mode)) return follow(next, found);
    if (rest_.empty()) return end_at(found);
    if (!S_ISDIR(found.st_mode)) return fail(ENOTDIR);
    place_.folder = std::move(next);
  }

  void follow(const UniqueFd& link, const struct stat& found) {
    if (!is_trusted_owner(found.st_uid)) {
      place_.problem = place_.name + " is a symbolic link " + of_user(found.st_uid) +
                       ", who can make it lead anywhere; name the file itself";
      return;
    }
    if (++links_ > kMaxLinks) return fail(ELOOP);
    if (is_in_proc(place_.folder.get())) return follow_in_proc();
    std::array<char, PATH_MAX> target;
    const ssize_t size = ::readlinkat(link.get(), "", target.data(), target.size());
    if (size <= 0) return fail(size == 0 ? ENOENT : errno);
    rest_.insert(0, target.data(), static_cast<std::size_t>(size));
    if (!rest_.starts_with('/')) return;
    place_.descriptor = own_descriptor(rest_);
    if (!place_.descriptor) begin();
  }

  void follow_in_proc() {
    if (rest_.empty()) {
      place_.problem = "it is a link of /proc; name the file itself";
      return;
    }
    UniqueFd next(
        ::openat(place_.folder.get(), place_.name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!next) return fail(errno);
    place_.folder = std::move(next);
  }

  void end_at(const struct stat& found) {
    is_found_ = true;
    if (S_ISDIR(found.st_mode)) return fail(EISDIR);
    place_.found = found;
    if (is_trusted_owner(found.st_uid)) return;
    struct stat folder {};
    if (S_ISFIFO(found.st_mode))
      place_.problem =
          "it is a FIFO " + of_user(found.st_uid) + "; name a file or a FIFO of your own";
    else if (::fstat(place_.folder.get(), &folder) != 0)
      fail(errno);
    else if (S_ISREG(found.st_mode) && is_shared_folder(folder))
      place_.problem = "it is a file " + of_user(found.st_uid) +
                       ", in a folder that all users can write to; name another file";
  }

  OutputPlace place_;
  std::string rest_;
  int links_ = 0;
  bool is_found_ = false;
};

}  // namespace

bool is_trusted_owner(uid_t owner) {
  return owner == 0 || owner == ::geteuid();
}

bool is_shared_folder(const struct stat& folder) {
  constexpr mode_t kStickyForGroup = S_ISVTX | S_IWGRP;
  return (folder.st_mode & S_IWOTH) != 0 || (folder.st_mode & kStickyForGroup) == kStickyForGroup;
}

std::string foreign_journal(const std::string& database) {
  const OutputPlace place = find_output(database);
  struct stat found {};
  if (!place.folder) return "";
  for (const char* const ending : {"-journal", "-wal"}) {
    std::string name = place.name + ending;
    if (::fstatat(place.folder.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0) return name;
  }
  return "";
}

OutputPlace find_output(const std::string& path) {
  return Walk(path)();
}

}  // namespace physmem
