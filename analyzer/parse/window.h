// SPDX-License-Identifier: MIT
// The part of the input that is in memory, moving forward over it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "analyzer/model/result.h"
#include "analyzer/parse/byte_source.h"

namespace physmem {

/// Holds at most kSize bytes whatever the input's length or that of its lines, and counts lines as they pass.
class Window {
 public:
  static constexpr std::size_t kSize = 1 << 20;
  /// Bytes before and after the text that may be read (not used): the scanner loads 16 bytes at a time.
  static constexpr std::size_t kMargin = 64;

  /// `tolerant`: damaged compressed input is the end of the input; damage() tells.
  Window(ByteSource& source, std::string name, bool tolerant);

  std::string_view text() const { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }
  bool at_end() const { return source_ended_; }  ///< no more will come than text() has
  const std::string& name() const { return name_; }
  const std::string& damage() const { return damage_; }

  /// Moves over `n` bytes, none of which is a newline that anybody counts.
  void advance(std::size_t n) { begin_ += n; }
  /// Moves over the newline at the front.
  void next_line();

  /// Reads more behind what is there. False when nothing was added: the input is over, or the window is full.
  Result<bool> fill();

  /// The line at the front without its newline; the rest of the input when that has none. A line that the window
  /// cannot hold is an error, with `too_long` for its reason.
  Result<std::string_view> peek_line(std::string_view too_long);
  /// Moves behind the next newline, however far it is, or to the end of the input.
  Status skip_line();

  std::uint64_t line() const { return line_; }
  std::uint64_t offset() const { return offset_of(begin_); }  ///< in the input, of the front
  /// Of a place in text(), from 1.
  std::uint64_t column(const char* at) const { return offset_of(at) - line_start_ + 1; }

 private:
  std::uint64_t offset_of(const char* at) const {
    return buffer_offset_ + static_cast<std::uint64_t>(at - buffer_.get());
  }

  ByteSource& source_;
  std::string name_;
  std::unique_ptr<char[]> buffer_;
  char* begin_;
  char* end_;
  std::uint64_t buffer_offset_ =
      0;  ///< in the input, of the first byte of the buffer; wraps below 0 by the margin
  std::uint64_t line_ = 1;
  std::uint64_t line_start_ = 0;
  bool tolerant_;
  bool source_ended_ = false;
  std::string damage_;
};

}  // namespace physmem
