// SPDX-License-Identifier: MIT
// A source that gives text like a mapped file.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/parse/byte_source.h"
#include "analyzer/parse/window.h"

namespace physmem {

/// Gives its text with margins, as a mapped file does.
class WholeSource : public ByteSource {
 public:
  explicit WholeSource(std::string_view text)
      : buffer_(std::string(Window::kMargin, ' ') + std::string(text) +
                std::string(Window::kMargin, ' ')),
        size_(text.size()) {}
  Result<std::size_t> read(char*, std::size_t) override {
    return Error{Error::Kind::kIo, "read() must not be called for a mapped source"};
  }
  std::string_view text() const override {
    return std::string_view(buffer_).substr(Window::kMargin, size_);
  }

 private:
  std::string buffer_;
  std::size_t size_;
};

}  // namespace physmem
