// SPDX-License-Identifier: MIT
#include "analyzer/parse/decoded_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/parse/codec.h"
#include "analyzer/parse/compact_codec.h"
#include "analyzer/parse/predecoded_runs.h"
#include "formats/compact/format.h"

namespace physmem {
namespace {

/// Fills `to` unless the source ends before.
Result<std::size_t> read_fully(ByteSource& source, char* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const auto n = source.read(to + done, size - done);
    if (!n) return n.error();
    if (*n == 0) break;
    done += *n;
  }
  return done;
}

/// Returns the bytes that were read to detect the form, then the rest.
class PrefixedSource : public ByteSource {
 public:
  PrefixedSource(std::string prefix, std::unique_ptr<ByteSource> rest)
      : prefix_(std::move(prefix)), left_(prefix_), rest_(std::move(rest)) {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    if (left_.empty()) return rest_->read(to, size);
    const std::size_t n = std::min(size, left_.size());
    std::memcpy(to, left_.data(), n);
    left_.remove_prefix(n);
    return n;
  }
  void interrupt() override { rest_->interrupt(); }
  std::string_view text() const override { return rest_->text(); }
  void release(std::uint64_t offset) override { rest_->release(offset); }
  PredecodedRuns* predecoded_runs() override { return rest_->predecoded_runs(); }
  Status state() const override { return rest_->state(); }

 private:
  std::string prefix_;
  std::string_view left_;
  std::unique_ptr<ByteSource> rest_;
};

class DecodedSource : public ByteSource {
 public:
  /// `predecoded`: the runs that the codec delivers separately from its text, if it does.
  DecodedSource(std::unique_ptr<ByteSource> inner, std::unique_ptr<Codec> codec, std::string name,
                std::unique_ptr<PredecodedRuns> predecoded = nullptr)
      : inner_(std::move(inner)),
        predecoded_(std::move(predecoded)),
        codec_(std::move(codec)),
        name_(std::move(name)),
        buffer_(kBuffer) {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    while (true) {
      if (input_.empty() && !at_end_) {
        const auto n = inner_->read(buffer_.data(), buffer_.size());
        if (!n) return n.error();
        input_ = {buffer_.data(), *n};
        at_end_ = *n == 0;
      }
      if (between_streams_ && input_.empty()) return std::size_t{0};
      if (between_streams_) codec_->restart();
      between_streams_ = false;
      const Codec::Step step = codec_->step(input_, to, size);
      if (!step.error.empty())
        return damaged(fmt::format("the {} is damaged: {}", codec_->form(), step.error));
      if (!step.too_large.empty())
        return Error{Error::Kind::kIo,
                     fmt::format("{}: the {} needs {}", name_, codec_->form(), step.too_large)};
      input_.remove_prefix(step.consumed);
      between_streams_ = step.finished;
      if (step.produced != 0) return step.produced;
      if (at_end_ && !step.finished)
        return damaged(fmt::format("the {} is cut short", codec_->form()));
    }
  }

  void interrupt() override { inner_->interrupt(); }
  PredecodedRuns* predecoded_runs() override { return predecoded_.get(); }

 private:
  static constexpr std::size_t kBuffer = 64 << 10;

  Error damaged(const std::string& what) const {
    return {Error::Kind::kBadInput, name_ + ": " + what};
  }

  std::unique_ptr<ByteSource> inner_;
  std::unique_ptr<PredecodedRuns> predecoded_;  ///< the codec's
  std::unique_ptr<Codec> codec_;
  std::string name_;
  std::vector<char> buffer_;
  std::string_view input_;
  bool at_end_ = false;
  bool between_streams_ = false;
};

/// Reads from a source that another object owns.
class Borrowed : public ByteSource {
 public:
  explicit Borrowed(ByteSource& source) : source_(source) {}
  Result<std::size_t> read(char* to, std::size_t size) override { return source_.read(to, size); }

 private:
  ByteSource& source_;
};

/// Decompressed data may have the compact form. The first read() examines its first bytes, and
/// returns the error if they are damaged.
class PerhapsCompact : public ByteSource {
 public:
  PerhapsCompact(std::unique_ptr<ByteSource> inner, std::string name)
      : inner_(std::move(inner)), name_(std::move(name)) {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    if (!was_seen_)
      if (Status status = look(); !status) return status.error();
    return text_->read(to, size);
  }

  /// Safe while another thread reads, because inner_ never changes.
  void interrupt() override { inner_->interrupt(); }
  PredecodedRuns* predecoded_runs() override { return &predecoded_; }

 private:
  Status look() {
    was_seen_ = true;
    auto opened = with_head(std::make_unique<Borrowed>(*inner_), compact::kFamily);
    if (!opened) return opened.error();
    text_ = std::move(opened->source);
    if (begins_compact(opened->head))
      text_ = std::make_unique<DecodedSource>(std::move(text_), compact_codec(&predecoded_), name_);
    return {};
  }

  std::unique_ptr<ByteSource> inner_;
  PredecodedRuns predecoded_;
  std::unique_ptr<ByteSource> text_ = text_source("");  ///< of inner_, after the first read()
  std::string name_;
  bool was_seen_ = false;
};

}  // namespace

Result<Opened> with_head(std::unique_ptr<ByteSource> inner, std::size_t size) {
  std::string head(size, '\0');
  const auto n = read_fully(*inner, head.data(), head.size());
  if (!n) return n.error();
  head.resize(*n);
  auto source = std::make_unique<PrefixedSource>(head, std::move(inner));
  return Opened{std::move(head), std::move(source)};
}

Result<std::unique_ptr<ByteSource>> decoded(std::unique_ptr<ByteSource> inner,
                                            const std::string& name, Undo undo) {
  if (undo == Undo::kNothing) return inner;
  auto opened = with_head(std::move(inner), kMagicSize);
  if (!opened) return opened.error();
  std::unique_ptr<ByteSource> source = std::move(opened->source);
  auto codec = codec_for(opened->head);
  const bool is_compressed = codec != nullptr;
  std::unique_ptr<PredecodedRuns> predecoded;
  if (undo == Undo::kAll && begins_compact(opened->head)) {
    predecoded = std::make_unique<PredecodedRuns>();
    codec = compact_codec(predecoded.get());
  }
  if (codec != nullptr)
    source = std::make_unique<DecodedSource>(std::move(source), std::move(codec), name,
                                             std::move(predecoded));
  if (is_compressed && undo == Undo::kAll)
    source = std::make_unique<PerhapsCompact>(std::move(source), name);
  return source;
}

}  // namespace physmem
