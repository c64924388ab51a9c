// SPDX-License-Identifier: MIT
// Pages of all areas as columns, in batches. A reading thread passes them to the caller's thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "physmem/pages.h"

namespace physmem {

/// Memory of batches. It is reused, because the kernel would have to zero new memory.
class BatchPool : public std::enable_shared_from_this<BatchPool> {
 public:
  enum Column : std::size_t { kPid, kArea, kAddress, kPfn, kCount, kFlags, kPages, kColumns };

  /// `has_pages`: rows are runs. Without it, all batches share a column of ones.
  BatchPool(std::size_t rows, bool has_pages);

  std::size_t rows() const { return rows_; }
  bool has_pages() const { return has_pages_; }
  std::unique_ptr<std::uint64_t[]> take();
  /// Makes a batch of the first `used` rows. Its memory returns to the pool when it is destroyed.
  PageReader::Batch batch(std::unique_ptr<std::uint64_t[]> memory, std::size_t used);

 private:
  void give_back(std::unique_ptr<std::uint64_t[]> memory);

  static constexpr std::size_t kMaxSpare = 4;
  std::size_t rows_;
  bool has_pages_;
  std::vector<std::uint64_t> ones_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<std::uint64_t[]>> spare_;
};

/// Passes batches from the reading thread to the caller's thread.
class BatchQueue {
 public:
  struct Closed {};  ///< thrown by put() and check() after close()

  void put(PageReader::Batch batch);
  void check();
  /// Called after the last batch, or with the error that ended reading.
  void end(std::exception_ptr error);

  /// Waits for the next batch and returns it, or null after the last. Throws the error of end().
  PageReader::Batch take();
  /// Called when no more batches will be taken.
  void close();

 private:
  static constexpr std::size_t kMaxReady = 3;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<PageReader::Batch> ready_;
  bool is_closed_ = false;
  bool has_ended_ = false;
  std::exception_ptr error_;
};

class PageFiller : public Analysis {
 public:
  PageFiller(std::shared_ptr<BatchPool> pool, BatchQueue& queue)
      : pool_(std::move(pool)), queue_(queue) {}

  void on_header(const Header& header) override;
  void on_task(const Task&) override { queue_.check(); }
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_area_end(const Process&, const Area&) override { ++area_; }
  void on_owner(const RamOwner&) override { queue_.check(); }
  void on_end() override { flush(); }

 private:
  void add_run(std::uint64_t pid, const PageRun& run);
  void add_pages(std::uint64_t pid, const PageRun& run);
  void put(std::uint64_t pid, const PageRun& run, std::size_t rows);
  void flush();

  std::shared_ptr<BatchPool> pool_;
  BatchQueue& queue_;
  std::unique_ptr<std::uint64_t[]> memory_;
  std::size_t used_ = 0;
  std::uint64_t area_ = 0;
  Header header_;
};

}  // namespace physmem
