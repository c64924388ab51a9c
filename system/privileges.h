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

/// `user`: a name of /etc/passwd, or a number. Nothing: there is no such name.
std::optional<Identity> identity_of(const std::string& user);

/// Who called sudo (SUDO_UID, SUDO_GID), else nobody; never root.
Identity identity_without_rights();

/// No capability from now on, nor by what is executed (no_new_privs); root stays the owner of its files. Empty, or why not.
std::string give_up_capabilities();

/// Its rights from now on, for good, and of no other group. Empty, or why not.
std::string become(const Identity& identity);

}  // namespace physmem
