// SPDX-License-Identifier: MIT
#include "program/output_target.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <sys/xattr.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

namespace physmem {
namespace {

constexpr const char* kAccessList = "system.posix_acl_access";

/// Opens the file that find_output() has found. Fails if its name was given to another file since.
UniqueFd open_found(const OutputPlace& place, int access) {
  UniqueFd file(
      ::openat(place.folder.get(), place.name.c_str(), access | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
  struct stat opened {};
  if (!file || ::fstat(file.get(), &opened) != 0) return {};
  if (opened.st_dev == place.found->st_dev && opened.st_ino == place.found->st_ino) return file;
  errno = ESTALE;
  return {};
}

/// Copies the access control list. False if `to` cannot have the same one. The list is read by
/// path, because the file may not be readable.
bool copy_access_list(const OutputPlace& from, int to) {
  const std::string path = "/proc/self/fd/" + std::to_string(from.folder.get()) + "/" + from.name;
  std::vector<char> list(XATTR_SIZE_MAX);
  const ssize_t size = ::lgetxattr(path.c_str(), kAccessList, list.data(), list.size());
  if (size >= 0)
    return ::fsetxattr(to, kAccessList, list.data(), static_cast<std::size_t>(size), 0) == 0;
  // The folder may have a default list, which new files inherit.
  return ::fremovexattr(to, kAccessList) == 0 || errno == ENODATA || errno == ENOTSUP;
}

/// A file of the user's own with a wider mode may have been moved into a shared folder by another
/// user, who would then read a snapshot that is written over it.
bool stays_private(OutputPlace& place, mode_t mode_if_new) {
  constexpr mode_t kOthers = S_IRGRP | S_IROTH;
  struct stat folder {};
  if ((mode_if_new & kOthers) != 0 || (place.found->st_mode & kOthers) == 0) return true;
  if (::fstat(place.folder.get(), &folder) == 0 && !is_shared_folder(folder)) return true;
  place.problem =
      "other users can read it, and all users can write to its folder; remove it, or name another "
      "file";
  return false;
}

}  // namespace

OutputTarget::OutputTarget(const std::string& path, mode_t mode_if_new)
    : place_(find_output(path)) {
  is_direct_ = place_.descriptor || (place_.found && !S_ISREG(place_.found->st_mode));
  if (!problem().empty()) return;
  if (is_direct_)
    open_direct();
  else if (!place_.found || (may_replace() && stays_private(place_, mode_if_new)))
    open_temporary(mode_if_new);
  if (!problem().empty()) file_.reset();
}

OutputTarget::~OutputTarget() {
  if (!temporary_.empty()) ::unlinkat(place_.folder.get(), temporary_.c_str(), 0);
}

void OutputTarget::open_direct() {
  // Duplicates an open descriptor: closing the duplicate reports late errors, and the original
  // stays open.
  file_ = place_.descriptor ? UniqueFd(::fcntl(*place_.descriptor, F_DUPFD_CLOEXEC, 0))
                            : open_found(place_, O_WRONLY);
  if (!file_) place_.problem = std::strerror(errno);
}

/// A file that must not be written to must not be replaced either.
bool OutputTarget::may_replace() {
  if (::faccessat(place_.folder.get(), place_.name.c_str(), W_OK, AT_EACCESS) == 0) return true;
  place_.problem =
      std::string(std::strerror(errno)) + "; name another file, or remove this one first";
  return false;
}

void OutputTarget::open_temporary(mode_t mode_if_new) {
  const TemporaryName form = temporary_name_for(place_.name);
  const mode_t mode = place_.found ? 0600 : mode_if_new;
  remove_stale(place_.folder.get(), form);
  file_ = open_unnamed(place_.folder.get(), mode);
  if (!file_) {
    NamedFile named = create_named(place_.folder.get(), form, mode);
    file_ = std::move(named.file);
    temporary_ = std::move(named.name);
  }
  if (!file_)
    place_.problem = std::string("cannot create a file in its folder: ") + std::strerror(errno) +
                     "; name a folder that you can write to";
  else if (place_.found && !keep_attributes())
    place_.problem =
        "cannot give a new file the owner, group and mode of the one it replaces (user " +
        std::to_string(place_.found->st_uid) + ", group " + std::to_string(place_.found->st_gid) +
        "): " + std::strerror(errno) + "; name another file, or remove this one first";
}

bool OutputTarget::keep_attributes() {
  const struct stat& old = *place_.found;
  struct stat now {};
  if (::fstat(file_.get(), &now) != 0) return false;
  // fchown() is called only for a change, because it may be forbidden.
  if ((now.st_uid != old.st_uid || now.st_gid != old.st_gid) &&
      ::fchown(file_.get(), old.st_uid, old.st_gid) != 0)
    return false;
  return ::fchmod(file_.get(), old.st_mode & 0777) == 0 && copy_access_list(place_, file_.get());
}

bool OutputTarget::is_terminal() const {
  return ::isatty(file_.get()) == 1;
}

int OutputTarget::take_name() {
  const int folder = place_.folder.get();
  if (temporary_.empty()) {
    const int error = place_.found ? EEXIST : publish(folder, file_.get(), place_.name);
    if (error != EEXIST) return error;
    // linkat() cannot replace a file; rename() can, but requires a name to move.
    temporary_ = give_name(folder, file_.get(), temporary_name_for(place_.name));
    if (temporary_.empty()) return errno;
  }
  if (::renameat(folder, temporary_.c_str(), folder, place_.name.c_str()) != 0) return errno;
  temporary_.clear();
  return 0;
}

void OutputTarget::keep_under_another_name() {
  TemporaryName form = temporary_name_for(place_.name);
  form.stem.erase(0, form.stem.find_first_not_of('.'));  // not hidden
  kept_as_ = give_name(place_.folder.get(), file_.get(), form);
}

int OutputTarget::commit() {
  if (!is_direct_) {
    if (::fsync(file_.get()) != 0) return errno;
    if (const int error = take_name(); error != 0) {
      keep_under_another_name();
      return error;
    }
    // Syncs the folder, so that the name survives a crash. Not every file system supports this.
    const UniqueFd folder(::openat(place_.folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder) (void)::fsync(folder.get());
  }
  // Some file systems report a full disk only here.
  return ::close(file_.release()) == 0 ? 0 : errno;
}

OutputInPlace open_in_place(const std::string& path, int access, mode_t mode_if_new) {
  OutputPlace place = find_output(path);
  OutputInPlace opened{{}, place.descriptor.has_value(), place.problem};
  struct stat folder {};
  if (!opened.problem.empty()) return opened;
  if (place.descriptor)
    opened.file.reset(::fcntl(*place.descriptor, F_DUPFD_CLOEXEC, 0));
  else if (place.found)
    opened.file = open_found(place, access);
  else
    opened.file.reset(::openat(place.folder.get(), place.name.c_str(),
                               access | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_if_new));
  if (!opened.file) opened.problem = std::strerror(errno);
  if (!opened.file || !place.found || !S_ISREG(place.found->st_mode)) return opened;
  const bool is_linked = place.found->st_nlink != 1;
  if (is_linked && (::fstat(place.folder.get(), &folder) != 0 || is_shared_folder(folder)))
    opened.problem =
        "it has a second name (a hard link), and all users can write to its folder; name another "
        "file";
  else if (!stays_private(place, mode_if_new))
    opened.problem = place.problem;
  if (!opened.problem.empty()) opened.file.reset();
  return opened;
}

std::string not_for_terminals(const std::string& what) {
  return what +
         " is not text, and the output is a terminal; name a file (-o FILE), or pipe it into a "
         "program that "
         "reads it";
}

}  // namespace physmem
