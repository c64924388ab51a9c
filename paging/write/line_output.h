// SPDX-License-Identifier: MIT
// Connects formats/emit to a std::ostream.
#pragma once

#include <ostream>
#include <vector>

#include "formats/emit/emit.h"

namespace physmem {

class LineOutput {
 public:
  explicit LineOutput(std::ostream& out) : stream_(out), buffer_(kSize) {
    out_ = {buffer_.data(), buffer_.size(), 0, &write, this, 0};
  }
  LineOutput(const LineOutput&) = delete;
  LineOutput& operator=(const LineOutput&) = delete;

  pm_out* get() { return &out_; }
  std::ostream& stream() { return stream_; }
  void flush() { pm_out_flush(&out_); }

 private:
  static constexpr std::size_t kSize = 64 << 10;

  /// Errors are kept in the state of the stream.
  static int write(void* to, const char* text, std::size_t size) {
    static_cast<LineOutput*>(to)->stream_.write(text, static_cast<std::streamsize>(size));
    return 0;
  }

  std::ostream& stream_;
  std::vector<char> buffer_;
  pm_out out_{};
};

}  // namespace physmem
