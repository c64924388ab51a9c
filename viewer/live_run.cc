// SPDX-License-Identifier: MIT
#include "viewer/live_run.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>

#include "program/memory_limit.h"
#include "program/messages.h"
#include "viewer/live_view.h"
#include "viewer/source_pump.h"

namespace physmem::view {
namespace {

/// Divides the memory limit. Blocks of the present and of stored states take three eighths. Page
/// tables of nine states take less than another three eighths. The rest is for events, for owners
/// and for the pages' past states.
PagingRoom room(std::uint64_t memory) {
  constexpr std::uint64_t kTable = 4096 + 64;  // bytes, with the allocator's overhead
  const std::uint64_t blocks = memory / 8 / sizeof(ActivityBlock);
  const std::uint64_t tables = memory / 32 / kTable;
  return {std::min<std::uint64_t>(blocks, PageActivity::kMaxBlocks),
          std::min<std::uint64_t>(tables, VirtualPages::kMaxTables)};
}

PagingTimeline::Limits limits(const Options& options) {
  return {options.history, options.history / 8, room(memory_limit())};
}

/// Frames whose owner is remembered.
std::size_t owned_frames(const Options& options) {
  if (!options.keep_owners) return 0;
  return std::min<std::uint64_t>(memory_limit() / 32 / FrameOwner::kFrameBytes, FrameOwner::kMax);
}

class LiveRun {
 public:
  LiveRun(const Serving& serving, EventSource& source, FileSource* replay)
      : serving_(serving),
        replay_(replay),
        feed_(limits(serving.options), owned_frames(serving.options)),
        pump_(
            io_, source, feed_, [this] { return speed(); },
            [this](const Error& error) { report_input_error(error); }) {
    shared_.follows = serving.options.follows;
    if (replay_ == nullptr) return;
    shared_.replay = replay_state();
    shared_.control = [this](const Replay& wanted) { control(wanted); };
  }

  Exit operator()(OpenPort port) {
    const Exit exit = serve(
        io_, serving_, std::move(port), [this] { return std::make_unique<LiveView>(shared_); },
        [this] { pump_.start(); }, [this] { pump_.stop(); });
    return exit == Exit::kDone && error_ ? exit_of(error_->kind) : exit;
  }

 private:
  ReplayState replay_state() const { return {replay_->speed(), replay_->is_paused()}; }
  double speed() const {
    return replay_ == nullptr ? 1 : replay_->is_paused() ? 0 : replay_->speed();
  }

  void control(const Replay& wanted) {
    if (wanted.speed) replay_->set_speed(*wanted.speed);
    if (wanted.paused) replay_->set_paused(*wanted.paused);
    shared_.replay = replay_state();
  }

  /// The pages stay open and show everything before the error.
  void report_input_error(const Error& error) {
    error_ = error;
    report(serving_.messages, kProgramName, error.text);
  }

  const Serving& serving_;
  FileSource* replay_;
  // Declared before io_, because the pages that io_ holds refer to them.
  TraceFeed feed_;
  LiveShared shared_{feed_};
  boost::asio::io_context io_;
  SourcePump pump_;
  std::optional<Error> error_;  ///< of the source, which has then ended
};

}  // namespace

Exit show_source(const Serving& serving, OpenPort port, EventSource& source) {
  return LiveRun(serving, source, nullptr)(std::move(port));
}

Exit show_replay(const Serving& serving, OpenPort port, FileSource& source) {
  return LiveRun(serving, source, &source)(std::move(port));
}

}  // namespace physmem::view
