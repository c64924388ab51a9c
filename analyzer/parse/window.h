// SPDX-License-Identifier: MIT
// The part of the input that is in memory, moving forward over it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "analyzer/parse/byte_source.h"
#include "program/result.h"

namespace physmem {

/// Holds at most kSize bytes whatever the input's length or that of its lines, and counts lines as
/// they pass. Of a file that may be mapped it has all the text; what is behind is let go from time
/// to time.
class Window {
 public:
  static constexpr std::size_t kSize = 1 << 20;
  static constexpr std::size_t kFirst =
      96 << 10;  ///< bytes of the first buffer; a small input needs no other
  static constexpr std::size_t kLetGo = 1 << 20;  ///< mapped bytes behind the text
  /// Bytes before and after the text that may be read (not used): the scanner loads as many at a
  /// time.
  static constexpr std::size_t kMargin = 64;

  struct Options {
    bool tolerant = false;  ///< damaged compressed input is the end of the input; damage() tells
    bool may_map =
        false;  ///< look at a file where it is; who does asks for state() before it complains
  };

  Window(ByteSource& source, std::string name, Options options);

  std::string_view text() const { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }
  bool at_end() const { return source_ended_; }  ///< no more will come than text() has
  const std::string& name() const { return name_; }
  const std::string& damage() const { return damage_; }
  Status state() const { return source_.state(); }
  /// Others look at the text before anybody does here, and let go of it: what is left is let go
  /// later.
  void set_expected() { is_expected_ = true; }
  /// All of the input where it is mapped, else nothing.
  std::string_view whole() const { return whole_; }

  /// Moves over `n` bytes, none of which is a newline that anybody counts.
  void advance(std::size_t n) {
    begin_ += n;
    if (offset() >= release_at_) release();
  }
  /// Moves over the newline at the front.
  void next_line();
  /// Moves over `n` bytes that were given beside the text.
  void pass_beside(std::uint64_t n) { beside_ += n; }

  /// Reads more behind what is there. False when nothing was added: the input is over, or the
  /// window is full.
  Result<bool> fill();

  /// The line at the front without its newline; the rest of the input when that has none. A line
  /// that the window cannot hold is an error, with `too_long` for its reason.
  Result<std::string_view> peek_line(std::string_view too_long);
  /// Moves behind the next newline, however far it is, or to the end of the input.
  Status skip_line();

  std::uint64_t line() const { return line_; }
  std::uint64_t offset() const { return offset_of(begin_); }  ///< in the input, of the front
  /// Of a place in text(), from 1.
  std::uint64_t column(const char* at) const { return offset_of(at) - line_start_ + beside_ + 1; }

 private:
  std::uint64_t offset_of(const char* at) const {
    return base_offset_ + static_cast<std::uint64_t>(at - base_);
  }
  bool map();
  void move_to_front();
  void release();

  ByteSource& source_;
  std::string name_;
  Options options_;
  std::string_view whole_;
  std::unique_ptr<char[]> buffer_;  ///< of what must be read
  std::size_t capacity_ = 0;        ///< of it, without margins
  const char* base_ = nullptr;      ///< where the text began when it was last fetched
  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  const char* newline_ = nullptr;  ///< the first, where peek_line() has found it
  std::uint64_t base_offset_ = 0;  ///< of base_ in the input
  std::uint64_t release_at_ = UINT64_MAX;
  std::uint64_t line_ = 1;
  std::uint64_t line_start_ = 0;
  std::uint64_t beside_ = 0;  ///< bytes of the line that were given beside the text
  bool source_ended_ = false;
  bool is_expected_ = false;
  std::string damage_;
};

}  // namespace physmem
