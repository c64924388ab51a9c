// SPDX-License-Identifier: MIT
#include "paging/write/zstd_stream.h"

#ifdef PHYSMEM_HAVE_ZSTD
#include <zstd.h>
#endif

#include <streambuf>
#include <utility>
#include <vector>

namespace physmem {

#ifdef PHYSMEM_HAVE_ZSTD
class ZstdStream::Buffer : public std::streambuf {
 public:
  explicit Buffer(std::ostream& inner)
      : inner_(inner),
        context_(ZSTD_createCCtx()),
        in_(ZSTD_CStreamInSize()),
        out_(ZSTD_CStreamOutSize()) {
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
    setp(in_.data(), in_.data() + in_.size());
  }
  void finish() { compress(ZSTD_e_end); }

 protected:
  int_type overflow(int_type next) override {
    compress(ZSTD_e_continue);
    if (traits_type::eq_int_type(next, traits_type::eof())) return traits_type::not_eof(next);
    return sputc(traits_type::to_char_type(next));
  }
  int sync() override {
    compress(ZSTD_e_flush);
    inner_.flush();
    return inner_ ? 0 : -1;
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

  void compress(ZSTD_EndDirective directive) {
    ZSTD_inBuffer input{pbase(), static_cast<std::size_t>(pptr() - pbase()), 0};
    for (;;) {
      ZSTD_outBuffer output{out_.data(), out_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context_.get(), &output, &input, directive);
      inner_.write(out_.data(), static_cast<std::streamsize>(output.pos));
      if (ZSTD_isError(left) != 0) inner_.setstate(std::ios::badbit);
      const bool is_done = directive == ZSTD_e_continue ? input.pos == input.size : left == 0;
      if (is_done || !inner_) break;
    }
    setp(in_.data(), in_.data() + in_.size());
  }

  std::ostream& inner_;
  std::unique_ptr<ZSTD_CCtx, Free> context_;
  std::vector<char> in_;
  std::vector<char> out_;
};

std::unique_ptr<ZstdStream> ZstdStream::over(std::ostream& inner) {
  return std::unique_ptr<ZstdStream>(new ZstdStream(std::make_unique<Buffer>(inner)));
}
#else
class ZstdStream::Buffer : public std::streambuf {
 public:
  void finish() {}
};

std::unique_ptr<ZstdStream> ZstdStream::over(std::ostream& /*inner*/) {
  return nullptr;
}
#endif

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
