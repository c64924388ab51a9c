// SPDX-License-Identifier: MIT
#include "physmem/pages.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <stdexcept>
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

SnapshotError io_error(const std::filesystem::path& path, const char* problem) {
  return {SnapshotError::Kind::kIo, path.string() + problem, path.string()};
}

}  // namespace

struct PageReader::State {
  State(std::shared_ptr<const SnapshotData> of, const PageOptions& options)
      : data(std::move(of)),
        pool(std::make_shared<BatchPool>(options.batch_rows, options.as_runs)),
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
    // To open a FIFO would wait for its writer.
    const FileState now = file_state(data->path);
    if (!data->file.is_regular || (now.inode != 0 && !now.is_regular))
      throw io_error(data->path, ": cannot be read again: it is not a regular file");
    OpenedFile file(data->path, data->options.jobs);
    if (file.state() != data->file) throw io_error(data->path, ": has changed since it was opened");
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
  return state_ ? state_->queue.take() : nullptr;
}

PageReader Snapshot::pages(const PageOptions& options) const {
  if (options.batch_rows == 0 || options.batch_rows > PageOptions::kMaxBatchRows)
    throw std::invalid_argument(fmt::format("batch_rows: found {}, expected 1 to {}",
                                            options.batch_rows, PageOptions::kMaxBatchRows));
  return PageReader(std::make_unique<PageReader::State>(data_, options));
}

}  // namespace physmem
