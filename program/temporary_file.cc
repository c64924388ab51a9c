// SPDX-License-Identifier: MIT
#include "program/temporary_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>

namespace physmem {
namespace {

/// Names have 48 random bits and never collide by chance. This bounds the work if another user
/// creates such names.
constexpr int kMaxTries = 100;
constexpr std::size_t kDigits = 12;

std::string new_name(const TemporaryName& form) {
  std::array<unsigned char, kDigits / 2> bytes{};
  (void)::getrandom(bytes.data(), bytes.size(), 0);
  std::string digits;
  for (const unsigned char byte : bytes) {
    constexpr std::string_view kHex = "0123456789abcdef";
    digits += kHex[byte >> 4];
    digits += kHex[byte & 15];
  }
  return form.stem + digits + form.ending;
}

bool has_form(std::string_view name, const TemporaryName& form) {
  if (name.size() != form.stem.size() + kDigits + form.ending.size()) return false;
  if (!name.starts_with(form.stem) || !name.ends_with(form.ending)) return false;
  return name.substr(form.stem.size(), kDigits).find_first_not_of("0123456789abcdef") ==
         std::string_view::npos;
}

/// On a file system without locks, remove_stale() cannot lock files either, and removes nothing.
bool lock(int file) {
  return ::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

std::string path_of(int file) {
  return "/proc/self/fd/" + std::to_string(file);
}

void remove_if_stale(int folder, const char* name) {
  struct stat found {
  }, opened{};
  if (::fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(found.st_mode)) return;
  const UniqueFd file(
      ::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  if (!file || ::fstat(file.get(), &opened) != 0 || opened.st_ino != found.st_ino) return;
  if (::flock(file.get(), LOCK_SH | LOCK_NB) == 0) ::unlinkat(folder, name, 0);
}

}  // namespace

UniqueFd open_unnamed(int folder, mode_t mode) {
  UniqueFd file(::openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
  if (file && (!lock(file.get()) || ::access(path_of(file.get()).c_str(), F_OK) != 0)) file.reset();
  return file;
}

TemporaryName temporary_name_for(const std::string& name) {
  constexpr std::size_t kMaxKept = 200;
  std::size_t kept = name.size();
  if (kept > kMaxKept) {
    kept = kMaxKept;
    while (kept > 0 && (static_cast<unsigned char>(name[kept]) & 0xC0) == 0x80)
      --kept;  // inside a UTF-8 character
  }
  return {"." + name.substr(0, kept) + ".physmem-"};
}

NamedFile create_named(int folder, const TemporaryName& form, mode_t mode) {
  for (int i = 0; i < kMaxTries; ++i) {
    NamedFile made{UniqueFd(), new_name(form)};
    made.file.reset(::openat(folder, made.name.c_str(),
                             O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!made.file && errno != EEXIST) return {};
    // Another process may have removed it as stale before it was locked.
    struct stat status {};
    if (made.file && lock(made.file.get()) && ::fstat(made.file.get(), &status) == 0 &&
        status.st_nlink != 0)
      return made;
  }
  errno = EEXIST;
  return {};
}

int publish(int folder, int unnamed, const std::string& name) {
  const int result =
      ::linkat(AT_FDCWD, path_of(unnamed).c_str(), folder, name.c_str(), AT_SYMLINK_FOLLOW);
  return result == 0 ? 0 : errno;
}

std::string give_name(int folder, int unnamed, const TemporaryName& form) {
  for (int i = 0; i < kMaxTries; ++i) {
    std::string name = new_name(form);
    const int error = publish(folder, unnamed, name);
    if (error == 0) return name;
    errno = error;
    if (error != EEXIST) return {};
  }
  return {};
}

void remove_stale(int folder, const TemporaryName& form) {
  const int listed = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (listed < 0) return;  // a folder with write but no read permission
  const std::unique_ptr<DIR, int (*)(DIR*)> names(::fdopendir(listed), ::closedir);
  if (!names) {
    ::close(listed);
    return;
  }
  while (const dirent* const entry = ::readdir(names.get()))
    if (has_form(entry->d_name, form)) remove_if_stale(folder, entry->d_name);
}

}  // namespace physmem
