// SPDX-License-Identifier: MIT
// How a program that was started as root goes on without its rights.
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
  bool is_caller = false;  ///< of sudo
};

/// The highest number of a user or group. The next one, 4294967295, means "leave it as it is" to
/// setresuid(2).
inline constexpr uid_t kMaxId = 4294967294;

/// `user`: a name of /etc/passwd, or a number up to kMaxId. Nothing: there is no such name.
std::optional<Identity> identity_of(const std::string& user);

/// Sets `identity` to the caller of sudo (SUDO_UID, SUDO_GID); to nobody without sudo, or if root
/// called it. Never to root. Returns nothing, or what is wrong with the variables.
std::string find_identity_without_rights(Identity& identity);

/// No capability from now on, nor by what is executed (no_new_privs); root stays the owner of its
/// files. Empty, or why not.
std::string give_up_capabilities();

/// Its rights from now on, for good, and of no other group: the ids are read back, and root must be
/// out of reach. Empty, or why not; the caller must then end.
std::string become(const Identity& identity);

}  // namespace physmem
