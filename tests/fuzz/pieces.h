// SPDX-License-Identifier: MIT
// A source that returns a text in pieces.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "analyzer/parse/byte_source.h"

namespace physmem {

/// Each piece has `size` bytes, except the last.
class Pieces : public ByteSource {
 public:
  Pieces(std::string_view text, std::size_t size) : text_(text), size_(size) {}
  Result<std::size_t> read(char* to, std::size_t room) override {
    const std::size_t n = std::min({room, size_, text_.size()});
    std::copy_n(text_.data(), n, to);
    text_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view text_;
  std::size_t size_;
};

}  // namespace physmem
