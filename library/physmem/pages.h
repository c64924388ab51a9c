// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>

namespace physmem {

struct PageOptions {
  /// One row per run: pages that are adjacent in a VMA and in RAM, with equal flags and counts.
  /// There are several times fewer runs than pages. False: one row per page.
  bool as_runs = false;
  /// The largest number of rows of a batch: 1 to kMaxBatchRows.
  std::size_t batch_rows = 32768;

  static constexpr std::size_t kMaxBatchRows = std::size_t{1} << 24;
};

/// Rows of resident pages as columns of equal length. Rows are in the order of areas().
struct PageBatchColumns {
  std::span<const std::uint64_t> pid;
  std::span<const std::uint64_t> area;     ///< index in Snapshot::areas()
  std::span<const std::uint64_t> address;  ///< virtual
  std::span<const std::uint64_t> pfn;      ///< frame number
  std::span<const std::uint64_t> count;    ///< mappings (SnapshotInfo::count_kind)
  std::span<const std::uint64_t> flags;    ///< page_flag
  std::span<const std::uint64_t> pages;    ///< length of the run; 1 without as_runs

  std::size_t size() const { return pid.size(); }
};

/// Reads the pages of a snapshot on a thread of its own. That thread is at most a few batches
/// ahead, so memory does not depend on the size of the snapshot. Only one thread at a time may use
/// a reader. A child process after fork() must not use or destroy it, because the child does not
/// have that thread.
class PageReader {
 public:
  using Batch = std::shared_ptr<const PageBatchColumns>;

  PageReader(PageReader&&) noexcept;
  PageReader& operator=(PageReader&&) noexcept;
  /// Stops reading, and waits for the thread.
  ~PageReader();

  /// Returns the next batch, or null after the last one and if this reader was moved from. The
  /// memory of a batch is reused when all copies of the pointer are gone.
  Batch next();

  /// Must not be used after its reader is moved or destroyed.
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = PageBatchColumns;
    using difference_type = std::ptrdiff_t;
    using pointer = const PageBatchColumns*;
    using reference = const PageBatchColumns&;

    explicit iterator(PageReader& reader) : reader_(&reader), batch_(reader.next()) {}
    reference operator*() const { return *batch_; }
    pointer operator->() const { return batch_.get(); }
    iterator& operator++() {
      batch_.reset();
      batch_ = reader_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& at, std::default_sentinel_t) { return !at.batch_; }

   private:
    PageReader* reader_;
    Batch batch_;
  };
  /// For one loop: `for (const PageBatchColumns& batch : reader)`. Each call reads a batch.
  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() { return {}; }

 private:
  friend class Snapshot;
  struct State;
  explicit PageReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace physmem
