// SPDX-License-Identifier: MIT
// Patterns for names that a user types.
#pragma once

#include <optional>
#include <regex>
#include <string>

namespace physmem {

/// A glob for the whole name, in which * also stands for slashes, or a regular expression (ECMA)
/// between slashes that finds a part of it: "py*", "/^py|perl/".
class NamePattern {
 public:
  /// Nothing if the text is empty, or the expression between its slashes is wrong. A path such as
  /// /usr/bin/ would be an expression, so it needs a * at its end.
  static std::optional<NamePattern> parse(const std::string& text);

  bool matches(const std::string& name) const;
  /// Whether the pattern is this name, without wildcards.
  bool is_exactly(const std::string& name) const { return !expression_ && text_ == name; }
  /// The only name that the pattern matches, if it is a path without wildcards.
  std::optional<std::string> path() const;
  /// As it was typed.
  const std::string& text() const { return text_; }

 private:
  explicit NamePattern(std::string text, std::optional<std::regex> expression = {})
      : text_(std::move(text)), expression_(std::move(expression)) {}

  std::string text_;
  std::optional<std::regex> expression_;
};

}  // namespace physmem
