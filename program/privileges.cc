// SPDX-License-Identifier: MIT
#include "program/privileges.h"

#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>

namespace physmem {
namespace {

/// The id of the user "nobody" on every distribution.
constexpr uid_t kNobodyId = 65534;

std::optional<uid_t> user_id_of(const std::string& text) {
  uid_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number > kMaxId) return {};
  return number;
}

/// Sets `id` if the variable is set. Empty, or what is wrong with its value.
std::string read_id(const char* variable, std::optional<uid_t>& id) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return {};
  id = user_id_of(text);
  if (id) return {};
  return std::string(variable) + ": found \"" + text + "\", expected a number up to " +
         std::to_string(kMaxId);
}

bool has_ids(const Identity& identity) {
  uid_t user[3] = {};
  gid_t group[3] = {};
  if (::getresuid(&user[0], &user[1], &user[2]) != 0 ||
      ::getresgid(&group[0], &group[1], &group[2]) != 0)
    return false;
  const auto is_user = [&identity](uid_t id) { return id == identity.user; };
  const auto is_group = [&identity](gid_t id) { return id == identity.group; };
  return std::all_of(std::begin(user), std::end(user), is_user) &&
         std::all_of(std::begin(group), std::end(group), is_group) && ::getgroups(0, nullptr) == 0;
}

/// Tries to become root, which a remaining capability such as CAP_SETUID would allow.
bool can_become_root() {
  constexpr uid_t kSame = kMaxId + 1;
  return ::setresuid(kSame, 0, kSame) == 0 || ::setresuid(0, kSame, kSame) == 0;
}

}  // namespace

/// Uses fgetpwent(), because getpwnam() loads libraries that a static program does not have.
std::optional<Identity> identity_of(const std::string& user) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/etc/passwd", "re"), std::fclose);
  const std::optional<uid_t> number = user_id_of(user);
  while (file) {
    const passwd* const entry = ::fgetpwent(file.get());
    if (entry == nullptr) break;
    if (number ? entry->pw_uid == *number : user == entry->pw_name)
      return Identity{entry->pw_uid, entry->pw_gid, entry->pw_name, entry->pw_dir};
  }
  if (number) return Identity{*number, *number};
  return {};
}

std::string find_identity_without_rights(Identity& identity) {
  std::optional<uid_t> user;
  std::optional<gid_t> group;
  for (const std::string& problem : {read_id("SUDO_UID", user), read_id("SUDO_GID", group)})
    if (!problem.empty()) return problem;
  if (user.value_or(0) == 0) {
    identity = identity_of("nobody").value_or(Identity{kNobodyId, kNobodyId});
    return {};
  }
  identity = *identity_of(std::to_string(*user));
  identity.is_caller = true;
  if (group) identity.group = *group;
  if (identity.group == 0) identity.group = *user;
  return {};
}

/// Calls capset(2) directly; libcap would have no other use here.
std::string give_up_capabilities() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
      ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 &&
      ::syscall(SYS_capset, &header, none) == 0)
    return {};
  return std::string("cannot give up capabilities: ") + std::strerror(errno);
}

std::string become(const Identity& identity) {
  const std::string name = identity.name.empty() ? std::to_string(identity.user) : identity.name;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ::setgroups(0, nullptr) != 0 ||
      ::setresgid(identity.group, identity.group, identity.group) != 0 ||
      ::setresuid(identity.user, identity.user, identity.user) != 0)
    return "cannot become " + name + ": " + std::strerror(errno);
  if (!has_ids(identity)) return "cannot become " + name + ": the kernel kept other ids";
  if (identity.user != 0 && can_become_root())
    return "cannot become " + name + ": root can be regained";
  return {};
}

}  // namespace physmem
