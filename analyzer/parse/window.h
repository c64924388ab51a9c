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

/// Holds at most kSize bytes, for any length of the input or its lines, and counts lines. A
/// mapped file is visible as a whole; its pages before the window are released from time to time.
class Window {
 public:
  static constexpr std::size_t kSize = 1 << 20;
  /// Bytes of the first buffer, which is enough for a small input.
  static constexpr std::size_t kFirst = 96 << 10;
  static constexpr std::size_t kReleaseInterval = 1 << 20;  ///< mapped bytes between two releases
  /// Bytes before and after the text that the scanner may load. It does not use their values.
  static constexpr std::size_t kMargin = 64;

  struct Options {
    bool tolerant = false;  ///< the input ends where compressed data is damaged; see damage()
    /// Maps a file. Then state() must be checked before an error in the text is reported.
    bool may_map = false;
  };

  Window(ByteSource& source, std::string name, Options options);

  std::string_view text() const { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }
  bool at_end() const { return source_ended_; }  ///< text() is all that is left
  const std::string& name() const { return name_; }
  const std::string& damage() const { return damage_; }
  Status state() const { return source_.state(); }
  /// Other threads read the text ahead and release it (ParseAhead). The window then does not
  /// prefault, and releases late.
  void set_read_ahead() { is_read_ahead_ = true; }
  /// The whole input if it is mapped, otherwise empty.
  std::string_view whole() const { return whole_; }

  /// Skips `n` bytes without counting lines.
  void advance(std::size_t n) {
    begin_ += n;
    if (offset() >= release_at_) release();
  }
  /// Skips the newline at the front.
  void next_line();
  /// Counts `n` bytes of the line that were delivered as predecoded runs.
  void count_predecoded(std::uint64_t n) { predecoded_bytes_ += n; }

  /// Appends more of the input. False if nothing was added: the input has ended, or the window is
  /// full.
  Result<bool> fill();

  /// The line at the front without its newline, or the rest of the input. A line that does not fit
  /// the window is an error; `too_long` is appended to its message.
  Result<std::string_view> peek_line(std::string_view too_long);
  /// Skips to the start of the next line or to the end of the input, at any distance.
  Status skip_line();

  std::uint64_t line() const { return line_; }
  std::uint64_t offset() const { return offset_of(begin_); }  ///< in the input, of the front
  /// Column of a position in text(), from 1.
  std::uint64_t column(const char* at) const {
    return offset_of(at) - line_start_ + predecoded_bytes_ + 1;
  }

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
  std::unique_ptr<char[]> buffer_;  ///< for an input that is not mapped
  std::size_t capacity_ = 0;        ///< of it, without margins
  const char* base_ = nullptr;      ///< where the text began at the last fill()
  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  const char* newline_ = nullptr;  ///< the first one, if peek_line() has found it
  std::uint64_t base_offset_ = 0;  ///< of base_ in the input
  std::uint64_t release_at_ = UINT64_MAX;
  std::uint64_t line_ = 1;
  std::uint64_t line_start_ = 0;
  std::uint64_t predecoded_bytes_ =
      0;  ///< bytes of the line that were delivered as predecoded runs
  bool source_ended_ = false;
  bool is_read_ahead_ = false;
  std::string damage_;
};

}  // namespace physmem
