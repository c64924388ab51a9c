// SPDX-License-Identifier: MIT
// Reads the fields of one record line in order.
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
  std::string text;        ///< what was found and what was expected
};

/// Reads fields separated by commas. The first flaw is kept. Later calls do nothing and return zero
/// or an empty text, so that a record is read without a test after each field.
class LineCursor {
 public:
  /// `line` begins with the record's letter and colon.
  LineCursor(std::string_view line, bool has_escapes)
      : line_(line), at_(2), has_escapes_(has_escapes) {}

  std::uint64_t hex(const char* what);
  std::uint64_t dec(const char* what);
  /// The same; `-` gives nothing.
  std::optional<std::uint64_t> hex_or_dash(const char* what);
  std::optional<std::uint64_t> dec_or_dash(const char* what);
  /// The next field unchanged.
  std::string_view word(const char* what) { return field(what); }
  /// Sets the flaw "found `found`, expected `wanted`". `found` must be a part of the line.
  void refuse(const char* what, std::string_view found, const char* wanted);
  /// The text up to the next comma, without blanks at both ends. \ooo is decoded if the format has
  /// escapes.
  std::string text(const char* what);
  /// The text up to the end of the line. For version 1, in which a path may contain a comma.
  std::string rest();
  /// `major:minor` in hex, as one number.
  std::uint64_t device(const char* what);

  /// Continues at `at`, in the state before the first field.
  void seek(std::size_t at) {
    at_ = at;
    is_first_ = true;
  }
  /// Continues after a field that ends at `end` and was read by other code.
  void go_on_at(std::size_t end) {
    at_ = end;
    is_first_ = false;
  }
  /// The unread rest of the line, unchanged; empty after a flaw.
  std::string_view left() const {
    return ok() ? line_.substr(std::min(at_, line_.size())) : std::string_view();
  }
  bool has_more();  ///< another field follows
  void expect_end();
  /// Skips the fields that a newer format may add.
  void skip_fields();
  void fail(std::size_t at, std::string text);

  /// Decodes \ooo if the format has escapes. `at`: position of the text in the line.
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

/// Parses all of `text`. False if it is empty, has another character, or is 2^64 or more.
bool parse_hex(std::string_view text, std::uint64_t& value);
bool parse_dec(std::string_view text, std::uint64_t& value);

}  // namespace physmem
