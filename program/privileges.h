// SPDX-License-Identifier: MIT
// Dropping the privileges of a program that was started as root.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace physmem {

struct Identity {
  uid_t user = 0;
  gid_t group = 0;
  std::string name = {};   ///< empty: not in /etc/passwd
  std::string home = {};   ///< likewise
  bool is_caller = false;  ///< the user who called sudo
};

/// The highest number of a user or group. The next one, 4294967295, means "unchanged" in
/// setresuid(2).
inline constexpr uid_t kMaxId = 4294967294;

/// `user`: a name in /etc/passwd, or a number up to kMaxId. Nothing if the name is unknown.
std::optional<Identity> identity_of(const std::string& user);

/// Sets `identity` to the caller of sudo (SUDO_UID, SUDO_GID), or to the user "nobody" without sudo
/// or if root called it. Never to root. Returns an empty text, or what is wrong with the variables.
std::string find_identity_without_rights(Identity& identity);

/// Drops all capabilities, also for executed programs (no_new_privs). The user id does not change.
/// Empty, or the error.
std::string give_up_capabilities();

/// Permanently changes to this user and group, without supplementary groups. Checks the ids, and
/// that root cannot be regained. Empty, or the error; the caller must then exit.
std::string become(const Identity& identity);

}  // namespace physmem
