// SPDX-License-Identifier: MIT
// The fields of one record line, one after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace physmem {

/// What is wrong with a line, and where.
struct Flaw {
  std::size_t column = 0;  ///< in the line, from 1
  std::string text;        ///< what was found, what was expected
};

/// Reads fields separated by commas. The first flaw stays; calls after it do nothing and give zero
/// or an empty text, so a record is read without a test after each field.
class LineCursor {
 public:
  /// `line` begins with the record's letter and colon.
  LineCursor(std::string_view line, bool has_escapes)
      : line_(line), at_(2), has_escapes_(has_escapes) {}

  std::uint64_t hex(const char* what);
  std::uint64_t dec(const char* what);
  /// The same, or `-`, which is nothing.
  std::optional<std::uint64_t> hex_or_dash(const char* what);
  std::optional<std::uint64_t> dec_or_dash(const char* what);
  /// The next field as it stands.
  std::string_view word(const char* what) { return field(what); }
  /// Says that `found`, a part of the line, is not as expected.
  void refuse(const char* what, std::string_view found, const char* wanted);
  /// Up to the next comma, blanks at both ends cut off, \ooo decoded where the format has escapes.
  std::string text(const char* what);
  /// Up to the end of the line: version 1, where a path may hold a comma.
  std::string rest();
  /// `major:minor` in hex, as one number.
  std::uint64_t device(const char* what);

  /// Starts over at `at`, as before the first field.
  void seek(std::size_t at) {
    at_ = at;
    is_first_ = true;
  }
  /// What ends at `end` was read by another.
  void go_on_at(std::size_t end) {
    at_ = end;
    is_first_ = false;
  }
  /// What nobody has read yet, as it stands; nothing behind a flaw.
  std::string_view left() const {
    return ok() ? line_.substr(std::min(at_, line_.size())) : std::string_view();
  }
  bool has_more();  ///< another field follows
  void expect_end();
  /// Newer formats may have more fields: skips them.
  void skip_fields();
  void fail(std::size_t at, std::string text);

  /// Text with \ooo decoded, where the format has escapes. `at`: where it stands in the line.
  std::string decode(std::string_view escaped, std::size_t at);

  bool ok() const { return flaw_.column == 0; }
  const Flaw& flaw() const { return flaw_; }
  std::size_t position() const { return at_; }
  std::string_view line() const { return line_; }

 private:
  template <int kBase>
  bool plain_number(std::uint64_t& value);
  template <int kBase>
  std::uint64_t number(const char* what);
  template <int kBase>
  std::optional<std::uint64_t> number_or_dash(const char* what);
  std::string_view field(const char* what);
  std::size_t offset(std::string_view found) const {
    return static_cast<std::size_t>(found.data() - line_.data());
  }

  std::string_view line_;
  std::size_t at_;
  bool has_escapes_;
  bool is_first_ = true;
  Flaw flaw_;
};

/// Whole text to number; false when it is empty, has another character, or is 2^64 or more.
bool parse_hex(std::string_view text, std::uint64_t& value);
bool parse_dec(std::string_view text, std::uint64_t& value);

/// A text for a message: in quotes, shortened, what does not print as \ooo.
std::string quoted(std::string_view text);

}  // namespace physmem
