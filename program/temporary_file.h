// SPDX-License-Identifier: MIT
// Files that do not outlive the program that writes them.
#pragma once

#include <sys/types.h>

#include <string>

#include "program/unique_fd.h"

namespace physmem {

/// A new file in `folder` (a descriptor) without a name: it is gone with its last descriptor, also
/// when the program is killed. Not open where the file system has no O_TMPFILE, and where publish()
/// would fail because /proc is not mounted. Locked as NamedFile is.
UniqueFd open_unnamed(int folder, mode_t mode);

/// The names that temporary files of one purpose have: STEM, twelve hexadecimal digits, ENDING.
struct TemporaryName {
  std::string stem;
  std::string ending = {};
};

/// Next to an output: hidden, and at most 255 bytes long whatever the length of `name`.
TemporaryName temporary_name_for(const std::string& name);

/// A new file with a new name. It is locked (flock) for as long as `file` is open, by which
/// remove_stale() knows that it is in use. Not open: errno.
struct NamedFile {
  UniqueFd file;
  std::string name;
};
NamedFile create_named(int folder, const TemporaryName& form, mode_t mode);

/// Gives a file of open_unnamed() a name of this form. Empty: errno.
std::string give_name(int folder, int unnamed, const TemporaryName& form);
/// Gives it `name`, which must be free. 0, or the error number.
int publish(int folder, int unnamed, const std::string& name);

/// Removes the regular files of this form that no process has open: their programs were killed.
void remove_stale(int folder, const TemporaryName& form);

}  // namespace physmem
