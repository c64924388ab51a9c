// SPDX-License-Identifier: MIT
#include "program/user_names.h"

#include <pwd.h>

#include <map>

#include "program/option_value.h"

namespace physmem {

std::string user_name(std::uint64_t uid) {
  static std::map<std::uint64_t, std::string> names;
  const auto [entry, is_new] = names.try_emplace(uid);
  if (!is_new || uid > UINT32_MAX) return entry->second;
  if (const passwd* const found = ::getpwuid(static_cast<uid_t>(uid)); found != nullptr)
    entry->second = found->pw_name;
  return entry->second;
}

std::optional<std::uint64_t> user_id(const std::string& user) {
  if (const auto id = number_of<std::uint64_t>(user)) return id;
  const passwd* const found = ::getpwnam(user.c_str());
  return found == nullptr ? std::nullopt : std::optional<std::uint64_t>(found->pw_uid);
}

}  // namespace physmem
