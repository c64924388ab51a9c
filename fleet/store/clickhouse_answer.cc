// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_answer.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "program/errors.h"
#include "program/printable.h"

namespace physmem::fleet {
namespace {

constexpr std::size_t kMaxAnswerLine = std::size_t{4} << 20;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

/// Reads the values of one row: texts, integers and null.
class RowScanner {
 public:
  explicit RowScanner(std::string_view line) : rest_(line) {}

  bool scan(Row& row) {
    row.clear();
    if (!eat('[')) return false;
    if (!eat(']')) {
      do {
        if (!scan_value(row)) return false;
      } while (eat(','));
      if (!eat(']')) return false;
    }
    eat(',');
    return rest_.empty();
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t')) rest_.remove_prefix(1);
  }

  bool eat(char c) {
    skip_blanks();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool scan_value(Row& row) {
    skip_blanks();
    if (rest_.starts_with("null")) {
      rest_.remove_prefix(4);
      row.emplace_back(std::monostate());
      return true;
    }
    if (eat('"')) {
      std::string text;
      if (!scan_text(text)) return false;
      row.emplace_back(std::move(text));
      return true;
    }
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    row.emplace_back(number);
    return true;
  }

  bool scan_text(std::string& text) {
    for (;;) {
      std::size_t plain = 0;
      while (plain < rest_.size() && rest_[plain] != '"' && rest_[plain] != '\\') ++plain;
      text += rest_.substr(0, plain);
      rest_.remove_prefix(plain);
      if (rest_.empty()) return false;
      const bool is_end = rest_[0] == '"';
      rest_.remove_prefix(1);
      if (is_end) return true;
      if (!scan_escape(text)) return false;
    }
  }

  bool scan_escape(std::string& text) {
    if (rest_.empty()) return false;
    const char letter = rest_[0];
    rest_.remove_prefix(1);
    if (letter == 'u') return scan_code(text);
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeaning = "\"\\/\b\f\n\r\t";
    const std::size_t at = kLetters.find(letter);
    if (at == std::string_view::npos) return false;
    text += kMeaning[at];
    return true;
  }

  std::optional<std::uint32_t> scan_hex() {
    std::uint32_t code = 0;
    if (rest_.size() < 4) return {};
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + 4, code, 16);
    if (error != std::errc() || end != rest_.data() + 4) return {};
    rest_.remove_prefix(4);
    return code;
  }

  bool scan_code(std::string& text) {
    const auto first = scan_hex();
    if (!first) return false;
    std::uint32_t code = *first;
    if (code >= 0xd800 && code < 0xdc00) {
      if (!rest_.starts_with("\\u")) return false;
      rest_.remove_prefix(2);
      const auto second = scan_hex();
      if (!second || *second < 0xdc00 || *second > 0xdfff) return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (*second - 0xdc00);
    }
    append_utf8(text, code);
    return true;
  }

  std::string_view rest_;
};

}  // namespace

std::string_view exception_in(std::string_view text) {
  for (std::size_t at = text.find("Code: "); at != text.npos; at = text.find("Code: ", at + 1)) {
    std::string_view rest = text.substr(at + 6);
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    rest.remove_prefix(digits);
    if (digits > 0 && (rest.starts_with(", e.") || rest.starts_with(". DB::")))
      return text.substr(at);
  }
  return {};
}

int exception_code(std::string_view exception) {
  int code = 0;
  if (exception.size() > 6)
    std::from_chars(exception.data() + 6, exception.data() + exception.size(), code);
  return code;
}

std::uint64_t number_at(const Row& row, std::size_t column) {
  const auto* const value =
      column < row.size() ? std::get_if<std::uint64_t>(&row[column]) : nullptr;
  return value != nullptr ? *value : 0;
}

std::string text_at(const Row& row, std::size_t column) {
  const auto* const value = column < row.size() ? std::get_if<std::string>(&row[column]) : nullptr;
  return value != nullptr ? *value : "";
}

bool ClickhouseAnswer::fail(const std::string& what) {
  status_ = bad_input(what);
  part_ = Part::kEnd;
  return false;
}

bool ClickhouseAnswer::add(std::string_view piece) {
  if (!status_) return false;
  for (std::size_t end = piece.find('\n'); end != piece.npos; end = piece.find('\n')) {
    const std::string_view line = piece.substr(0, end);
    piece.remove_prefix(end + 1);
    const bool is_taken = pending_.empty() ? take_line(line) : take_line(pending_.append(line));
    if (!is_taken) return false;
    pending_.clear();
  }
  pending_ += piece;
  return pending_.size() <= kMaxAnswerLine || fail("a line of the answer is longer than 4 MiB");
}

Status ClickhouseAnswer::finish() {
  if (!status_) return status_;
  if (!pending_.empty() && !take_line(std::exchange(pending_, {}))) return status_;
  if (part_ != Part::kEnd)
    fail("the answer ends after " + std::to_string(rows_) + " rows, before its end");
  else if (rows_ != stated_rows_)
    fail("the answer has " + std::to_string(rows_) + " rows, and states " +
         std::to_string(stated_rows_));
  return status_;
}

bool ClickhouseAnswer::take_line(std::string_view line) {
  const std::string_view text = trimmed(line);
  switch (part_) {
    case Part::kHead:
      if (const auto exception = exception_in(text); !exception.empty())
        return fail(std::string(exception));
      if (text == "\"data\":") part_ = Part::kRows;
      return true;
    case Part::kRows:
      if (text.empty() || text == "[") return true;
      if (text == "]" || text == "],") {
        part_ = Part::kTail;
        return true;
      }
      return take_row(text);
    case Part::kTail:
      return take_tail(text, line == "}");
    case Part::kEnd:
      break;
  }
  return text.empty() || fail("the answer continues after its end: " + in_quotes(text));
}

bool ClickhouseAnswer::take_row(std::string_view line) {
  if (!RowScanner(line).scan(row_)) {
    const std::string_view exception = exception_in(line);
    return fail(exception.empty()
                    ? "a row of the answer is not as expected: " + in_quotes(line, 200)
                    : std::string(exception));
  }
  ++rows_;
  status_ = take_(row_);
  return static_cast<bool>(status_);
}

bool ClickhouseAnswer::take_tail(std::string_view line, bool is_last) {
  constexpr std::string_view kRows = "\"rows\":";
  if (const auto exception = exception_in(line); !exception.empty())
    return fail(std::string(exception));
  if (line.starts_with(kRows)) {
    const std::string_view number = trimmed(line.substr(kRows.size()));
    std::from_chars(number.data(), number.data() + number.size(), stated_rows_);
  }
  if (is_last) part_ = Part::kEnd;
  return true;
}

}  // namespace physmem::fleet
