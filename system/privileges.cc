// SPDX-License-Identifier: MIT
#include "system/privileges.h"

#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace physmem {
namespace {

/// What /etc/passwd has for it on every distribution.
constexpr uid_t kNobody = 65534;

std::optional<uid_t> number_of(const std::string& text) {
  uid_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

std::optional<uid_t> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::nullopt : number_of(text);
}

}  // namespace

/// fgetpwent(): getpwnam() needs libraries that a static program does not have.
std::optional<Identity> identity_of(const std::string& user) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/etc/passwd", "re"), std::fclose);
  const std::optional<uid_t> number = number_of(user);
  while (file) {
    const passwd* const entry = ::fgetpwent(file.get());
    if (entry == nullptr) break;
    if (number ? entry->pw_uid == *number : user == entry->pw_name)
      return Identity{entry->pw_uid, entry->pw_gid, entry->pw_name, entry->pw_dir};
  }
  if (number) return Identity{*number, *number};
  return {};
}

Identity identity_without_rights() {
  const std::optional<uid_t> user = number_in("SUDO_UID");
  if (!user || *user == 0) return identity_of("nobody").value_or(Identity{kNobody, kNobody});
  Identity identity = *identity_of(std::to_string(*user));
  identity.is_caller = true;
  if (const std::optional<gid_t> group = number_in("SUDO_GID")) identity.group = *group;
  if (identity.group == 0) identity.group = *user;
  return identity;
}

/// capset(2) itself: libcap's only use here would be this.
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
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::setgroups(0, nullptr) == 0 &&
      ::setresgid(identity.group, identity.group, identity.group) == 0 &&
      ::setresuid(identity.user, identity.user, identity.user) == 0)
    return {};
  const std::string who = identity.name.empty() ? std::to_string(identity.user) : identity.name;
  return "cannot become " + who + ": " + std::strerror(errno);
}

}  // namespace physmem
