// SPDX-License-Identifier: MIT
#include "formats/output/zstd_output.h"

#include <cerrno>
#include <utility>

#include "formats/output/zstd_compressor.h"
#include "program/errors.h"

namespace physmem {
namespace {

class ZstdOutput final : public Output {
 public:
  ZstdOutput(std::unique_ptr<Output> inner, std::unique_ptr<ZstdCompressor> compressor)
      : inner_(std::move(inner)), compressor_(std::move(compressor)) {}

  int write(std::string_view text) override {
    return compress(text, ZstdCompressor::Step::kContinue);
  }
  // One frame per snapshot, so that the file can be cut after any of them. It remains a valid .zst
  // file, because frames are decompressed to one text.
  int mark_whole() override {
    const int error = compress({}, ZstdCompressor::Step::kEnd);
    return error != 0 ? error : inner_->mark_whole();
  }
  bool keep_whole() override {
    compressor_->reset();
    return inner_->keep_whole();
  }
  int finish() override { return inner_->finish(); }
  std::string kept_as() const override { return inner_->kept_as(); }
  std::string name() const override { return inner_->name(); }

 private:
  int compress(std::string_view text, ZstdCompressor::Step step) {
    return compressor_->compress(text, step,
                                 [this](std::string_view bytes) { return inner_->write(bytes); });
  }

  std::unique_ptr<Output> inner_;
  std::unique_ptr<ZstdCompressor> compressor_;
};

}  // namespace

Result<std::unique_ptr<Output>> compress_into(std::unique_ptr<Output> inner) {
  if (!has_zstd())
    return Error{Error::Kind::kUsage,
                 "cannot compress " + inner->name() +
                     ": this program was built without zstd; give a name without .zst, and " +
                     "compress the file afterwards"};
  auto compressor = ZstdCompressor::create();
  if (compressor == nullptr) return io_error("compress " + inner->name(), ENOMEM);
  return std::unique_ptr<Output>(
      std::make_unique<ZstdOutput>(std::move(inner), std::move(compressor)));
}

}  // namespace physmem
