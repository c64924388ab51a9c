// SPDX-License-Identifier: MIT
#pragma once

#include <getopt.h>

#include <string>
#include <string_view>

namespace physmem {

/// The option for which getopt_long() has just returned '?' or ':'. getopt_long() permutes argv, so
/// only optind is reliable. Inside a cluster such as -xj it still points at the word.
inline std::string refused_option(char* const argv[]) {
  const std::string_view word = argv[optind - 1];
  const bool is_short = optopt > ' ' && optopt <= '~';
  // A long option without its value is the last word, and may have a short form.
  const bool is_last_long = argv[optind] == nullptr && word.starts_with("--");
  if (is_short && !is_last_long) return {'-', static_cast<char>(optopt)};
  return std::string(word);
}

}  // namespace physmem
