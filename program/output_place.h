// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "program/unique_fd.h"

namespace physmem {

/// The file that the name of an output refers to.
struct OutputPlace {
  UniqueFd folder;                   ///< O_PATH: for the ...at() calls
  std::string name;                  ///< in folder; not a symbolic link at the time of the lookup
  std::optional<struct stat> found;  ///< the existing file of this name
  std::optional<int> descriptor;     ///< open in this process; the other members are empty
  std::string problem;               ///< empty, or why the output cannot be opened
};

/// Follows `path` component by component, so that the owner of each symbolic link is checked before
/// it is followed. The kernel does this only for links in sticky folders, and only if
/// fs.protected_symlinks is set.
///
/// - "" and "-" are standard output; /dev/stdout, /dev/stderr and /dev/fd/N are open descriptors,
///   also through a link.
/// - A symbolic link and a FIFO must belong to the effective user or to root, in any folder.
/// - A file in a folder that all users can write to (/tmp) must as well, as with
///   fs.protected_regular: an output keeps the owner of the file it replaces.
/// - A directory is refused. The name itself does not have to exist, also after a link.
OutputPlace find_output(const std::string& path);

/// The name of a file next to a database of SQLite whose contents SQLite would write into a new
/// database of this name. Empty if there is none.
std::string foreign_journal(const std::string& database);

/// Whether `owner` may decide where this process writes: the effective user and root.
bool is_trusted_owner(uid_t owner);

/// Whether all users can put files into the folder; or a group can, and the sticky bit means that
/// its members do not trust each other.
bool is_shared_folder(const struct stat& folder);

}  // namespace physmem
