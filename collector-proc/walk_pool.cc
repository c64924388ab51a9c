// SPDX-License-Identifier: MIT
#include "collector-proc/walk_pool.h"

#include <system_error>

#include "program/failure.h"
#include "program/signals.h"

namespace physmem::collect {
namespace {

// Maximum text that waits for its turn. It limits how far a thread gets ahead of the slowest one,
// or of the output: a third of a second at 180 MB/s.
constexpr std::size_t kMaxWaiting = std::size_t{64} << 20;

}  // namespace

struct WalkPool::Worker {
  /// The output of a worker's writer.
  class Slot final : public Output {
   public:
    explicit Slot(ReorderBuffer& texts) : texts_(texts) {}

    std::size_t number = 0;

    int write(std::string_view text) override { return texts_.write(number, text); }
    int mark_whole() override { return 0; }
    bool keep_whole() override { return false; }
    int finish() override { return 0; }
    std::string name() const override { return "a thread's text"; }

   private:
    ReorderBuffer& texts_;
  };

  Worker(const ProcTree& tree, const Scope& scope, ReorderBuffer& texts)
      : walk(tree, scope), slot(texts) {}

  ProcessWalk walk;
  SnapshotWriter writer;
  Slot slot;
  Status opened = {};
};

WalkPool::WalkPool(const ProcTree& tree, const Scope& scope, const SnapshotFrame& frame,
                   const std::vector<Pid>& pids, std::size_t threads)
    : pids_(pids), texts_(pids.size(), kMaxWaiting) {
  for (std::size_t i = 0; i < threads; ++i) {
    workers_.push_back(std::make_unique<Worker>(tree, scope, texts_));
    workers_.back()->walk.begin_snapshot(frame);
    workers_.back()->writer.begin(workers_.back()->slot);
  }
  const SignalsElsewhere elsewhere;
  try {
    for (const auto& worker : workers_) {
      threads_.emplace_back([this, &worker](const std::stop_token& stop) { work(*worker, stop); });
    }
  } catch (const std::system_error&) {
    // Fewer threads only make it slower.
  }
}

WalkPool::~WalkPool() {
  for (std::jthread& thread : threads_) thread.request_stop();
  texts_.stop();
}

bool WalkPool::open_next(Worker& worker) {
  const std::lock_guard lock(opening_);
  if (next_ == pids_.size()) return false;
  worker.slot.number = next_++;
  worker.opened =
      catch_exceptions([&] { return worker.walk.open(pids_[worker.slot.number], spaces_); });
  return true;
}

Status WalkPool::walk(Worker& worker, const std::stop_token& stop) {
  if (!worker.opened) return worker.opened;
  const Status written = catch_exceptions([&] {
    Status status = worker.walk.write(worker.writer, worker.slot, stop);
    if (status) worker.writer.flush();
    return status;
  });
  return written ? stop_reason(worker.writer, worker.slot) : written;
}

void WalkPool::work(Worker& worker, const std::stop_token& stop) {
  while (!stop.stop_requested() && open_next(worker))
    texts_.end(worker.slot.number, walk(worker, stop));
}

Status WalkPool::write_to(Output& output, Progress& progress) {
  for (std::size_t i = 0; i < pids_.size(); ++i) {
    progress.at(i + 1, pids_.size());
    while (std::optional<std::string> piece = texts_.take(i)) {
      if (const int error = output.write(*piece); error != 0) return output_error(output, error);
      texts_.give_back(std::move(*piece));
    }
    if (interrupted()) return silent_error();
    if (Status status = texts_.status(i); !status) return status;
  }
  return {};
}

Losses WalkPool::finish(pm_end& totals) {
  threads_.clear();
  Losses losses;
  for (const auto& worker : workers_) {
    losses.add(worker->walk.losses());
    const pm_end& more = worker->writer.totals();
    totals.tasks += more.tasks;
    totals.areas += more.areas;
    totals.pages += more.pages;
    totals.swapped += more.swapped;
  }
  return losses;
}

}  // namespace physmem::collect
