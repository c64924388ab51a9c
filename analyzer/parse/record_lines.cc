// SPDX-License-Identifier: MIT
#include "analyzer/parse/record_lines.h"

#include <fmt/format.h>

#include "program/printable.h"

namespace physmem {
namespace {

/// Whether a record has this letter, without the lists M: and S:.
bool is_letter(char c) {
  switch (c) {
    case 'H':
    case 'G':
    case 'D':
    case 'T':
    case 'V':
    case 'P':
    case 'Z':
    case 'O':
    case 'R':
    case 'E':
      return true;
    default:
      return false;
  }
}

bool is_record(std::string_view line) {
  return line.size() >= 2 && line[1] == ':' && line[0] >= 'A' && line[0] <= 'Z';
}

bool is_list(std::string_view line) {
  return line.starts_with("M:") || line.starts_with("S:");
}

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

}  // namespace

Status RecordLines::fill_window(std::size_t bytes) {
  while (window_.text().size() < bytes) {
    const auto more = window_.fill();
    if (!more) return more.error();
    if (!*more) break;
  }
  return {};
}

Result<std::string_view> RecordLines::peek_text() {
  if (Status status = fill(2); !status) return status.error();
  if (is_list(window_.text())) return window_.text().substr(0, 2);
  return peek_whole_line();
}

Result<std::string_view> RecordLines::peek_whole_line() {
  return window_.peek_line(", and only M: and S: lines may be");
}

/// The form of a whole line that is not a list.
inline RecordLine::Kind RecordLines::kind_of(std::string_view line) const {
  using Kind = RecordLine::Kind;
  if (window_.text().size() == line.size()) return line.empty() ? Kind::kEnd : Kind::kCut;
  if (is_record(line)) return is_letter(line[0]) ? Kind::kRecord : Kind::kUnknown;
  if (has_gaps_ && line.empty()) return Kind::kBlank;
  if (has_gaps_ && line == "...") return Kind::kElided;
  return Kind::kUnknown;
}

Result<RecordLine> RecordLines::peek() {
  if (Status status = fill(2); !status) return status.error();
  if (is_list(window_.text()))
    return RecordLine{RecordLine::Kind::kList, window_.text().substr(0, 2)};
  const auto text = peek_whole_line();
  if (!text) return text.error();
  const RecordLine::Kind kind = kind_of(*text);
  if (kind == RecordLine::Kind::kUnknown && !is_record(*text))
    return problem(
        1, fmt::format("found {}, expected a record: a letter and a colon", in_quotes(*text)));
  return RecordLine{kind, *text};
}

Status RecordLines::ignore(const RecordLine& line) {
  if (line.kind == RecordLine::Kind::kUnknown) ++notes_.unknown_records;
  if (line.kind == RecordLine::Kind::kElided) ++notes_.elided;
  return skip();
}

Status RecordLines::drop_until_header() {
  while (keep_going_) {
    const auto line = peek_text();
    if (!line) return line.error();
    if (at_end() || line->starts_with("H:")) break;
    count_dropped(
        problem(1, fmt::format("found {} after the end of the snapshot", in_quotes(*line))));
    if (Status status = skip(); !status) return status;
  }
  return {};
}

Result<bool> RecordLines::continue_list() {
  if (Status status = fill(3); !status) return status.error();
  if (!at_end()) window_.next_line();
  const std::string_view next = window_.text();
  return next.size() >= 2 && is_hex(next[0]) && next[1] != ':';
}

bool RecordLines::drop(const Error& error) {
  if (!keep_going_ || error.kind != Error::Kind::kBadInput) return false;
  count_dropped(error);
  return true;
}

void RecordLines::count_dropped(const Error& error) {
  if (notes_.first_problem.empty()) notes_.first_problem = error.text;
  ++notes_.dropped_lines;
}

bool RecordLines::drop_end(const Error& error) {
  if (!keep_going_) return false;
  if (notes_.first_problem.empty()) notes_.first_problem = error.text;
  ++notes_.truncated;
  return true;
}

Error RecordLines::problem(std::uint64_t column, const std::string& text) const {
  if (Status status = window_.state(); !status) return status.error();
  return {Error::Kind::kBadInput,
          fmt::format("{}:{}:{}: {}", window_.name(), window_.line(), column, text), window_.line(),
          column};
}

Error RecordLines::flawed(char letter, const Flaw& flaw) const {
  return problem(flaw.column, fmt::format("{}: {}", letter, flaw.text));
}

Error RecordLines::cut_short(std::uint64_t column, const std::string& text) const {
  return damage().value_or(problem(column, text));
}

std::optional<Error> RecordLines::damage() const {
  if (window_.damage().empty()) return {};
  return Error{Error::Kind::kBadInput, window_.damage(), window_.line(), 1};
}

char RecordLines::letter() const {
  const std::string_view front = window_.text();
  return is_record(front) && window_.column(front.data()) == 1 ? front[0] : '\0';
}

}  // namespace physmem
