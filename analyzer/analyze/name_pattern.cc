// SPDX-License-Identifier: MIT
#include "analyzer/analyze/name_pattern.h"

#include <fnmatch.h>

namespace physmem {

std::optional<NamePattern> NamePattern::parse(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text.size() < 3 || text.front() != '/' || text.back() != '/') return NamePattern(text);
  try {
    return NamePattern(text, std::regex(text.substr(1, text.size() - 2), std::regex::optimize));
  } catch (const std::regex_error&) {
    return std::nullopt;
  }
}

bool NamePattern::matches(const std::string& name) const {
  if (!expression_) return ::fnmatch(text_.c_str(), name.c_str(), 0) == 0;
  try {
    return std::regex_search(name, *expression_);
  } catch (const std::regex_error&) {  // too complex for this name
    return false;
  }
}

std::optional<std::string> NamePattern::path() const {
  const bool is_path =
      !expression_ && text_.starts_with('/') && text_.find_first_of("*?[\\") == std::string::npos;
  return is_path ? std::optional(text_) : std::nullopt;
}

}  // namespace physmem
