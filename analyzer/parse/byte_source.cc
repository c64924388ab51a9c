// SPDX-License-Identifier: MIT
#include "analyzer/parse/byte_source.h"

#include <algorithm>

namespace physmem {
namespace {

class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    const std::size_t n = std::min(size, text_.size());
    std::copy_n(text_.data(), n, to);
    text_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view text_;
};

}  // namespace

std::unique_ptr<ByteSource> text_source(std::string_view text) {
  return std::make_unique<TextSource>(text);
}

}  // namespace physmem
