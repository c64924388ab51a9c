// SPDX-License-Identifier: MIT
#include "formats/output/compact_output.h"

#include <optional>
#include <utility>

#include "formats/compact/encoder.h"

namespace physmem {
namespace {

class CompactOutput final : public Output {
 public:
  explicit CompactOutput(std::unique_ptr<Output> inner) : inner_(std::move(inner)) {}

  int write(std::string_view text) override {
    encoder_->write(text, coded_);
    return hand_on();
  }
  int mark_whole() override {
    encoder_->finish(coded_);
    encoder_.emplace();
    const int error = hand_on();
    return error != 0 ? error : inner_->mark_whole();
  }
  bool keep_whole() override {
    encoder_.emplace();
    coded_.clear();
    return inner_->keep_whole();
  }
  int finish() override { return inner_->finish(); }
  int reader_fd() const override { return inner_->reader_fd(); }
  std::string kept_as() const override { return inner_->kept_as(); }
  std::string name() const override { return inner_->name(); }

 private:
  int hand_on() {
    const int error = coded_.empty() ? 0 : inner_->write(coded_);
    coded_.clear();
    return error;
  }

  std::unique_ptr<Output> inner_;
  std::optional<compact::Encoder> encoder_{std::in_place};  ///< of the current stream
  std::string coded_;
};

}  // namespace

std::unique_ptr<Output> compact_into(std::unique_ptr<Output> inner) {
  return std::make_unique<CompactOutput>(std::move(inner));
}

}  // namespace physmem
