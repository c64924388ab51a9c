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
  std::size_t batch_rows = 32768;  ///< most rows of a batch; at most 2^24
};

/// Rows of present pages, as columns of equal length, in the order of areas().
struct PageBatchColumns {
  std::span<const std::uint64_t> pid;
  std::span<const std::uint64_t> area;     ///< index in Snapshot::areas()
  std::span<const std::uint64_t> address;  ///< virtual
  std::span<const std::uint64_t> pfn;      ///< frame number
  std::span<const std::uint64_t> count;    ///< mappings (SnapshotInfo::count_kind)
  std::span<const std::uint64_t> flags;    ///< page_flag
  std::span<const std::uint64_t> pages;    ///< of a run; otherwise 1

  std::size_t size() const { return pid.size(); }
};

/// Reads the pages of a snapshot on a thread of its own, at most a few batches ahead, so that
/// memory does not depend on the size of the snapshot. To be used by one thread.
class PageReader {
 public:
  using Batch = std::shared_ptr<const PageBatchColumns>;

  PageReader(PageReader&&) noexcept;
  PageReader& operator=(PageReader&&) noexcept;
  /// Ends the reading.
  ~PageReader();

  /// The next batch, null after the last. Its memory is used again after the last copy is gone.
  Batch next();

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
  /// For one loop: `for (const PageBatchColumns& batch : reader)`.
  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() { return {}; }

 private:
  friend class Snapshot;
  struct State;
  explicit PageReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace physmem
