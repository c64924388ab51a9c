// SPDX-License-Identifier: MIT
// Divides the text of a snapshot into lines, and decides which of them are records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/parse/line_cursor.h"
#include "analyzer/parse/window.h"
#include "program/result.h"

namespace physmem {

/// Lines that were not used. All zero: every line was.
struct LineNotes {
  std::uint64_t unknown_records = 0;  ///< lines with an unknown record letter
  std::uint64_t elided = 0;           ///< lines `...` of version 1
  /// With keep_going: lines that break the grammar, and lines that depend on them.
  std::uint64_t dropped_lines = 0;
  std::uint64_t truncated = 0;  ///< with keep_going: snapshots without their end
  std::string first_problem;    ///< the message of the first line dropped
};

/// One line, by its form. Its fields are not examined.
struct RecordLine {
  enum class Kind {
    kRecord,   ///< a known letter and a colon
    kList,     ///< M: or S:; the text is only "M:" or "S:", because the line may have any length
    kUnknown,  ///< a letter and a colon that this version does not know
    kElided,   ///< `...`, in version 1
    kBlank,    ///< an empty line, in version 1
    kCut,      ///< the input ends within this line
    kEnd,      ///< there are no more lines
  };
  Kind kind = Kind::kEnd;
  std::string_view text;  ///< without the newline; valid until more of the input is read

  /// The letter of a record or list.
  char letter() const { return text[0]; }
};

/// The lines of an input, one after the other, with their numbers. All messages get their position
/// here: `NAME:LINE:COLUMN: TEXT`, both numbers from 1.
///
/// An error of kind kBadInput concerns one line. With keep_going the caller drops that line (drop()
/// and skip()) and continues. Every other error ends the reading, as does every error without
/// keep_going.
class RecordLines {
 public:
  /// `name` is for messages.
  RecordLines(ByteSource& source, std::string name, bool keep_going)
      : window_(source, std::move(name), {keep_going, true}), keep_going_(keep_going) {}

  /// The line at the front, by its form. Call it at the start of a line. Fails if the line is too
  /// long, or has none of these forms.
  Result<RecordLine> peek();
  /// The text at the front, where a snapshot may begin. Of M: and S: only the letter and the colon.
  Result<std::string_view> peek_text();
  /// Whether the input is over; known after peek() or peek_text().
  bool at_end() const { return window_.text().empty(); }

  /// Skips the rest of the line.
  Status skip() { return window_.skip_line(); }
  /// Skips a line without a known record. Counts it, unless it is blank.
  Status ignore(const RecordLine& line);
  /// With keep_going, drops and counts lines up to the next H: or the end of the input.
  Status drop_until_header();
  /// At the newline of an M: or S: line, or at the end of the input: skips it. True if the next
  /// line has no letter but more entries.
  Result<bool> continue_list();

  /// Whether blank lines and `...` are allowed: in version 1, and so before the first H:.
  void set_gaps(bool are_allowed) { has_gaps_ = are_allowed; }

  /// True if reading may continue after this error. It is then counted as a dropped line, which the
  /// caller must skip.
  bool drop(const Error& error);
  /// True if a snapshot may end with this error, which is then counted.
  bool drop_end(const Error& error);

  /// An error in the current line. If the input has become unreadable, that is the error.
  Error problem(std::uint64_t column, const std::string& text) const;
  /// The same for a flaw in the record with this letter.
  Error flawed(char letter, const Flaw& flaw) const;
  /// The error for an early end: the damage of the compressed input if there is any, otherwise
  /// `text`.
  Error cut_short(std::uint64_t column, const std::string& text) const;
  /// Why the input ended early, if its compressed data is damaged.
  std::optional<Error> damage() const;

  /// The letter of the record at the front. '\0' within a line, or if the line is no record.
  char letter() const;
  std::uint64_t line() const { return window_.line(); }
  const std::string& name() const { return window_.name(); }
  /// For M: and S: lines, which are read piece by piece.
  Window& window() { return window_; }

  const LineNotes& notes() const { return notes_; }
  void clear_notes() { notes_ = {}; }

 private:
  /// Makes at least this many characters available, unless the input ends before.
  Status fill(std::size_t bytes) {
    return window_.text().size() >= bytes ? Status() : fill_window(bytes);
  }
  Status fill_window(std::size_t bytes);
  Result<std::string_view> peek_whole_line();
  void count_dropped(const Error& error);
  RecordLine::Kind kind_of(std::string_view line) const;

  Window window_;
  LineNotes notes_;
  bool keep_going_;
  bool has_gaps_ = false;
};

}  // namespace physmem
