// SPDX-License-Identifier: MIT
// Files that do not outlive the program that writes them.
#pragma once

#include <sys/types.h>

#include <string>

#include "program/unique_fd.h"

namespace physmem {

/// Creates a file without a name in `folder` (a descriptor). It disappears with its last
/// descriptor, also when the program is killed. Not open if the file system has no O_TMPFILE, or if
/// /proc is not mounted, without which publish() fails. Locked like a NamedFile.
UniqueFd open_unnamed(int folder, mode_t mode);

/// The form of names of temporary files for one purpose: STEM, twelve hexadecimal digits, ENDING.
struct TemporaryName {
  std::string stem;
  std::string ending = {};
};

/// The form for a temporary file next to the output `name`: hidden, and at most 255 bytes long.
TemporaryName temporary_name_for(const std::string& name);

/// A new file with a new name. It is locked (flock) while `file` is open, so that remove_stale()
/// knows that it is in use. If it is not open, errno has the reason.
struct NamedFile {
  UniqueFd file;
  std::string name;
};
NamedFile create_named(int folder, const TemporaryName& form, mode_t mode);

/// Gives a file of open_unnamed() a name of this form. If empty, errno has the reason.
std::string give_name(int folder, int unnamed, const TemporaryName& form);
/// Gives it `name`, which must be free. 0, or the error number.
int publish(int folder, int unnamed, const std::string& name);

/// Removes the regular files of this form that no process has open; their programs were killed.
void remove_stale(int folder, const TemporaryName& form);

}  // namespace physmem
