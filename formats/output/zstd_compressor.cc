// SPDX-License-Identifier: MIT
#include "formats/output/zstd_compressor.h"

#ifdef PHYSMEM_HAVE_ZSTD
#include <zstd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "program/deleter.h"
#endif

namespace physmem {

#ifdef PHYSMEM_HAVE_ZSTD
namespace {

// Levels 1 and 3 cost the same CPU on snapshots (0.39 and 0.38 GB/s), and 3 is an eighth smaller.
constexpr int kLevel = 3;

using Context = std::unique_ptr<ZSTD_CCtx, Deleter<ZSTD_freeCCtx>>;

ZSTD_EndDirective directive_of(ZstdCompressor::Step step) {
  switch (step) {
    case ZstdCompressor::Step::kFlush:
      return ZSTD_e_flush;
    case ZstdCompressor::Step::kEnd:
      return ZSTD_e_end;
    case ZstdCompressor::Step::kContinue:
      break;
  }
  return ZSTD_e_continue;
}

class Compressor final : public ZstdCompressor {
 public:
  explicit Compressor(Context context)
      : context_(std::move(context)), buffer_(ZSTD_CStreamOutSize()) {
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  int compress(std::string_view text, Step step, const Sink& to) override {
    ZSTD_inBuffer input{text.data(), text.size(), 0};
    for (;;) {
      ZSTD_outBuffer output{buffer_.data(), buffer_.size(), 0};
      const std::size_t left =
          ZSTD_compressStream2(context_.get(), &output, &input, directive_of(step));
      if (ZSTD_isError(left) != 0) return ENOMEM;  // the only error with valid arguments
      if (const int error = to({buffer_.data(), output.pos}); error != 0) return error;
      const bool is_done = step == Step::kContinue ? input.pos == input.size : left == 0;
      if (is_done) return 0;
    }
  }
  void reset() override { ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only); }

 private:
  Context context_;
  std::vector<char> buffer_;
};

}  // namespace

bool has_zstd() {
  return true;
}

std::unique_ptr<ZstdCompressor> ZstdCompressor::create() {
  Context context(ZSTD_createCCtx());
  if (context == nullptr) return nullptr;
  return std::make_unique<Compressor>(std::move(context));
}
#else
bool has_zstd() {
  return false;
}

std::unique_ptr<ZstdCompressor> ZstdCompressor::create() {
  return nullptr;
}
#endif

}  // namespace physmem
