// SPDX-License-Identifier: MIT
#include "analyzer/parse/codec.h"

#include <lz4frame.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "program/deleter.h"

namespace physmem {
namespace {

using namespace std::string_view_literals;

class GzipCodec : public Codec {
 public:
  GzipCodec() {
    if (inflateInit2(&stream_, kGzipWindow) == Z_MEM_ERROR) throw std::bad_alloc();
  }
  ~GzipCodec() override { inflateEnd(&stream_); }
  GzipCodec(const GzipCodec&) = delete;
  GzipCodec& operator=(const GzipCodec&) = delete;

  Step step(std::string_view in, char* out, std::size_t out_size) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(std::min<std::size_t>(in.size(), UINT32_MAX));
    const uInt offered = stream_.avail_in;
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(out_size, UINT32_MAX));
    const uInt room = stream_.avail_out;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    Step step{offered - stream_.avail_in, room - stream_.avail_out, code == Z_STREAM_END};
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      step.error = stream_.msg != nullptr ? stream_.msg : "damaged gzip data";
    return step;
  }
  void restart() override { inflateReset(&stream_); }

 private:
  static constexpr int kGzipWindow = 15 + 16;  // the largest window, gzip wrapper
  z_stream stream_{};
};

class ZstdCodec : public Codec {
 public:
  ZstdCodec() {
    if (stream_ == nullptr) throw std::bad_alloc();
  }

  Step step(std::string_view in, char* out, std::size_t out_size) override {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out, out_size, 0};
    const std::size_t code = ZSTD_decompressStream(stream_.get(), &output, &input);
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
      return {.too_large = "a window above 128 MiB; decompress it first (zstd -d --long=31)"};
    if (ZSTD_isError(code) != 0) return {0, 0, false, ZSTD_getErrorName(code)};
    return {input.pos, output.pos, code == 0};
  }
  void restart() override { ZSTD_DCtx_reset(stream_.get(), ZSTD_reset_session_only); }

 private:
  std::unique_ptr<ZSTD_DStream, Deleter<ZSTD_freeDStream>> stream_{ZSTD_createDStream()};
};

class XzCodec : public Codec {
 public:
  XzCodec() { restart(); }
  ~XzCodec() override { lzma_end(&stream_); }
  XzCodec(const XzCodec&) = delete;
  XzCodec& operator=(const XzCodec&) = delete;

  Step step(std::string_view in, char* out, std::size_t out_size) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out);
    stream_.avail_out = out_size;
    const lzma_ret code = lzma_code(&stream_, LZMA_RUN);
    if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
    Step step{in.size() - stream_.avail_in, out_size - stream_.avail_out, code == LZMA_STREAM_END};
    if (code == LZMA_MEMLIMIT_ERROR)
      step.too_large = "more than 1 GiB of memory; decompress it first (xz -d)";
    else if (code != LZMA_OK && code != LZMA_STREAM_END && code != LZMA_BUF_ERROR)
      step.error = "damaged xz data";
    return step;
  }
  void restart() override {
    if (lzma_stream_decoder(&stream_, kMemoryLimit, 0) == LZMA_MEM_ERROR) throw std::bad_alloc();
  }

 private:
  static constexpr std::uint64_t kMemoryLimit = std::uint64_t{1} << 30;
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class Lz4Codec : public Codec {
 public:
  Lz4Codec() {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context_, LZ4F_VERSION)) != 0)
      throw std::bad_alloc();
  }
  ~Lz4Codec() override { LZ4F_freeDecompressionContext(context_); }
  Lz4Codec(const Lz4Codec&) = delete;
  Lz4Codec& operator=(const Lz4Codec&) = delete;

  Step step(std::string_view in, char* out, std::size_t out_size) override {
    std::size_t consumed = in.size();
    std::size_t produced = out_size;
    const std::size_t code =
        LZ4F_decompress(context_, out, &produced, in.data(), &consumed, nullptr);
    if (LZ4F_isError(code) != 0) return {0, 0, false, LZ4F_getErrorName(code)};
    return {consumed, produced, code == 0};
  }
  void restart() override { LZ4F_resetDecompressionContext(context_); }

 private:
  LZ4F_dctx* context_ = nullptr;
};

}  // namespace

std::unique_ptr<Codec> codec_for(std::string_view head) {
  if (head.starts_with("\x1f\x8b"sv)) return std::make_unique<GzipCodec>();
  if (head.starts_with("\x28\xb5\x2f\xfd"sv)) return std::make_unique<ZstdCodec>();
  if (head.starts_with("\xfd\x37\x7a\x58\x5a\x00"sv)) return std::make_unique<XzCodec>();
  if (head.starts_with("\x04\x22\x4d\x18"sv)) return std::make_unique<Lz4Codec>();
  return nullptr;
}

}  // namespace physmem
