// SPDX-License-Identifier: MIT
#include "paging/write/zstd_stream.h"

#include <array>
#include <cerrno>
#include <new>
#include <streambuf>
#include <string_view>
#include <utility>

#include "formats/output/zstd_compressor.h"

namespace physmem {

class ZstdStream::Buffer : public std::streambuf {
 public:
  using Step = ZstdCompressor::Step;

  explicit Buffer(std::ostream& inner) : inner_(inner), compressor_(ZstdCompressor::create()) {
    if (compressor_ == nullptr) throw std::bad_alloc();
    setp(text_.data(), text_.data() + text_.size());
  }
  void finish() { compress(Step::kEnd); }

 protected:
  int_type overflow(int_type next) override {
    compress(Step::kContinue);
    if (traits_type::eq_int_type(next, traits_type::eof())) return traits_type::not_eof(next);
    return sputc(traits_type::to_char_type(next));
  }
  int sync() override {
    compress(Step::kFlush);
    inner_.flush();
    return inner_ ? 0 : -1;
  }

 private:
  void compress(Step step) {
    const std::string_view text(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    const auto write = [this](std::string_view bytes) {
      inner_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      return inner_ ? 0 : EIO;
    };
    if (compressor_->compress(text, step, write) != 0) inner_.setstate(std::ios::badbit);
    setp(text_.data(), text_.data() + text_.size());
  }

  std::ostream& inner_;
  std::unique_ptr<ZstdCompressor> compressor_;
  std::array<char, std::size_t{128} << 10> text_{};
};

std::unique_ptr<ZstdStream> ZstdStream::over(std::ostream& inner) {
  if (!has_zstd()) return nullptr;
  return std::unique_ptr<ZstdStream>(new ZstdStream(std::make_unique<Buffer>(inner)));
}

ZstdStream::ZstdStream(std::unique_ptr<Buffer> buffer)
    : buffer_(std::move(buffer)), stream_(buffer_.get()) {}

ZstdStream::~ZstdStream() = default;

std::ostream& ZstdStream::stream() {
  return stream_;
}

void ZstdStream::finish() {
  buffer_->finish();
}

}  // namespace physmem
