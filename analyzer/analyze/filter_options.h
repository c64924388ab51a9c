// SPDX-License-Identifier: MIT
// Setters for options that select processes, for members of any type of options
// (program/option_value.h).
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "analyzer/analyze/name_pattern.h"
#include "program/option_value.h"
#include "program/user_names.h"

namespace physmem {

/// For a vector of patterns. The option may be repeated.
template <auto... kMember, class T>
std::string add_pattern(T& options, const char* value) {
  auto pattern = NamePattern::parse(value);
  if (!pattern)
    return "a shell pattern such as lib* or py?, or a regular expression between slashes: /^py/";
  member_of<kMember...>(options).push_back(std::move(*pattern));
  return {};
}

/// For a set of user ids. The option may be repeated.
template <auto... kMember, class T>
std::string add_users(T& options, const char* value) {
  std::string_view list = value;
  while (true) {
    const std::string_view word = list.substr(0, list.find(','));
    const auto uid = user_id(std::string(word));
    if (!uid) return "names or numbers of users of this machine, separated by commas";
    member_of<kMember...>(options).insert(*uid);
    if (word.size() == list.size()) return {};
    list.remove_prefix(word.size() + 1);
  }
}

}  // namespace physmem
