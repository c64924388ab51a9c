// SPDX-License-Identifier: MIT
#include "physmem/pages.h"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include "analyzer/analyze/census.h"
#include "library/opened_file.h"
#include "library/page_filler.h"
#include "library/snapshot_data.h"
#include "physmem/error.h"
#include "physmem/snapshot.h"

namespace physmem {
namespace {

constexpr std::size_t kMaxBatchRows = std::size_t{1} << 24;

}  // namespace

struct PageReader::State {
  State(std::shared_ptr<const SnapshotData> of, const PageOptions& options)
      : data(std::move(of)),
        pool(std::make_shared<BatchPool>(
            std::clamp<std::size_t>(options.batch_rows, 1, kMaxBatchRows), options.as_runs)),
        thread([this] { run(); }) {}
  ~State() {
    queue.close();
    thread.join();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void run() {
    try {
      read();
      queue.end(nullptr);
    } catch (const BatchQueue::Closed&) {
      queue.end(nullptr);
    } catch (...) {
      queue.end(std::current_exception());
    }
  }

  void read() {
    OpenedFile file(data->path, data->options.jobs);
    if (file.state() != data->file)
      throw SnapshotError(SnapshotError::Kind::kIo,
                          data->path.string() + ": has changed since it was opened",
                          data->path.string());
    Events ignored;
    for (std::size_t number = 1; number < data->number; ++number) file.next(ignored);
    PageFiller filler(pool, queue);
    const auto& pids = data->options.pids;
    Census census({&filler}, {.pids = std::set<std::uint64_t>(pids.begin(), pids.end())});
    file.next(census);
  }

  std::shared_ptr<const SnapshotData> data;
  std::shared_ptr<BatchPool> pool;
  BatchQueue queue;
  std::thread thread;  ///< last: it uses the others
};

PageReader::PageReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
PageReader::PageReader(PageReader&&) noexcept = default;
PageReader& PageReader::operator=(PageReader&&) noexcept = default;
PageReader::~PageReader() = default;

PageReader::Batch PageReader::next() {
  return state_->queue.take();
}

PageReader Snapshot::pages(const PageOptions& options) const {
  return PageReader(std::make_unique<PageReader::State>(data_, options));
}

}  // namespace physmem
