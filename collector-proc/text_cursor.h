// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace physmem::collect {

/// Parses a text from left to right. A step that does not match consumes nothing.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  std::optional<std::uint64_t> number(int base = 10) {
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, base);
    if (error != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  bool skip(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool skip(std::string_view wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(wanted.size());
    return true;
  }
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }
  /// Returns everything before the delimiter and consumes both; the whole rest if there is none.
  std::string_view until(char delimiter) {
    const std::size_t at = rest_.find(delimiter);
    const std::string_view piece = rest_.substr(0, at);
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at + 1);
    return piece;
  }
  std::string_view line() { return until('\n'); }

 private:
  std::string_view rest_;
};

/// The number after `name` in the first line that begins with it; blanks between them are skipped.
/// "Rss:" finds 12 in "Rss:   12 kB".
inline std::optional<std::uint64_t> number_of_line(std::string_view text, std::string_view name) {
  TextCursor lines(text);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    if (!line.skip(name)) continue;
    line.skip_blanks();
    return line.number();
  }
  return std::nullopt;
}

}  // namespace physmem::collect
