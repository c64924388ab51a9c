// SPDX-License-Identifier: MIT
#include "analyzer/parse/compact_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "formats/compact/checksum.h"
#include "formats/compact/decoder.h"
#include "formats/compact/format.h"

namespace physmem {
namespace {

using namespace compact;

/// Gathers a block and returns its text. Decodes directly into the reader's buffer if the whole
/// text fits.
class CompactCodec : public Codec, private RunTaker {
 public:
  explicit CompactCodec(PredecodedRuns* predecoded) : predecoded_(predecoded) {}

  const char* form() const override { return "compact form"; }
  Step step(std::string_view in, char* out, std::size_t out_size) override {
    Step step;
    if (left_.empty() && !begin(in, out, out_size, step)) return step;
    step.produced += left_.copy(out + step.produced, out_size - step.produced);
    left_.remove_prefix(std::min(step.produced, left_.size()));
    return step;
  }

  void restart() override {
    decoder_ = {};
    has_magic_ = false;
    checksum_ = 0;
    block_ = 0;
  }

 private:
  struct Head {
    std::size_t payload_bytes;
    std::size_t text_bytes;
    std::uint32_t checksum;
  };

  bool begin(std::string_view in, char* out, std::size_t out_size, Step& step);
  bool gather(std::size_t bytes, std::string_view in, Step& step);
  bool take_magic(Step& step);
  std::string flaw_of(const Head& head) const;
  bool take(const Run& run, unsigned page_shift, std::size_t at, std::uint64_t bytes) override;
  void decode(const Head& head, char* out, std::size_t out_size, Step& step);
  Head head() const {
    return {word_at(input_.data()), word_at(input_.data() + 4), word_at(input_.data() + 8)};
  }
  void fail(Step& step, const std::string& what) const {
    step.error = fmt::format("block {}: {}", block_ + 1, what);
  }

  Decoder decoder_;
  bool has_magic_ = false;
  std::string input_;  ///< an incomplete header or block
  std::uint32_t checksum_ = 0;
  std::uint64_t block_ = 0;  ///< from 0
  std::vector<char> text_;
  std::string_view left_;  ///< of it
  PredecodedRuns* predecoded_;
  std::vector<PredecodedRun> runs_;  ///< of the block
  std::size_t room_ = 0;             ///< most runs to put
  std::uint64_t offset_ = 0;         ///< of the block's text, over all streams
};

/// False if no text is available: more input is needed, the stream has ended, or there is an error.
bool CompactCodec::begin(std::string_view in, char* out, std::size_t out_size, Step& step) {
  if (!has_magic_ && (!gather(kMagic.size(), in, step) || !take_magic(step))) return false;
  if (!gather(kHeadBytes, in, step)) return false;
  const Head head = this->head();
  if (const std::string flaw = flaw_of(head); !flaw.empty()) {
    fail(step, flaw);
    return false;
  }
  if (!gather(kHeadBytes + head.payload_bytes, in, step)) return false;
  decode(head, out, out_size, step);
  input_.clear();
  ++block_;
  return step.error.empty() && !step.finished;
}

/// Gathers input until input_ holds `bytes`. True once it does.
bool CompactCodec::gather(std::size_t bytes, std::string_view in, Step& step) {
  if (input_.size() >= bytes) return true;
  const std::string_view more = in.substr(step.consumed, bytes - input_.size());
  input_ += more;
  step.consumed += more.size();
  return input_.size() == bytes;
}

bool CompactCodec::take_magic(Step& step) {
  has_magic_ = true;
  const std::string found = std::exchange(input_, {});
  if (found == kMagic) return true;
  const char version = found[kFamily];
  if (!begins_compact(found))
    step.error = "what follows the compact form of a snapshot is not another one";
  else if (version != kMagic[kFamily])
    step.error = fmt::format("it has version {:?} of the compact form, expected {:?}", version,
                             kMagic[kFamily]);
  else
    step.error =
        "its first bytes were changed: was it sent as text? expected 89 50 4D 43 31 0D 0A 1A";
  return false;
}

/// The flaw that shows before the payload is read.
std::string CompactCodec::flaw_of(const Head& head) const {
  if (head.payload_bytes > kMaxPayload)
    return fmt::format("it has {} bytes, expected {} at most", head.payload_bytes, kMaxPayload);
  if (head.text_bytes > kMaxText)
    return fmt::format("it would become {} bytes, expected {} at most", head.text_bytes, kMaxText);
  if ((head.payload_bytes == 0) != (head.text_bytes == 0))
    return fmt::format("{} bytes would become {}", head.payload_bytes, head.text_bytes);
  return {};
}

bool CompactCodec::take(const Run& run, unsigned page_shift, std::size_t at, std::uint64_t bytes) {
  if (runs_.size() >= room_) return false;
  runs_.push_back({offset_ + at, bytes, run, page_shift});
  return true;
}

void CompactCodec::decode(const Head& head, char* out, std::size_t out_size, Step& step) {
  const std::string_view payload = std::string_view(input_).substr(kHeadBytes);
  checksum_ = block_checksum(checksum_, static_cast<std::uint32_t>(head.text_bytes), payload);
  if (checksum_ != head.checksum)
    return fail(step,
                fmt::format("its checksum is {:08X}, expected {:08X}", checksum_, head.checksum));
  if (payload.empty()) {
    step.finished = true;
    return;
  }
  const bool is_direct = out_size >= head.text_bytes + Decoder::kSlack;
  if (!is_direct) text_.resize(kMaxText + Decoder::kSlack);
  char* const to = is_direct ? out : text_.data();
  runs_.clear();
  room_ = predecoded_ != nullptr ? predecoded_->room() : 0;
  if (const std::string error =
          decoder_.decode(payload, to, head.text_bytes, room_ != 0 ? this : nullptr);
      !error.empty())
    return fail(step, error);
  if (!runs_.empty()) predecoded_->put(runs_);
  offset_ += decoder_.produced();
  if (is_direct)
    step.produced = decoder_.produced();
  else
    left_ = {to, decoder_.produced()};
}

}  // namespace

bool begins_compact(std::string_view head) {
  return head.starts_with(kMagic.substr(0, kFamily));
}

std::unique_ptr<Codec> compact_codec(PredecodedRuns* predecoded) {
  return std::make_unique<CompactCodec>(predecoded);
}

}  // namespace physmem
