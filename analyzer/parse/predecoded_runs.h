// SPDX-License-Identifier: MIT
// M: entries that the compact form stores as runs. They are passed to the reader separately from
// the text.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "analyzer/model/page_batch.h"
#include "formats/compact/run.h"

namespace physmem {

/// A run, and the place in the text where its entries would be.
struct PredecodedRun {
  std::uint64_t at = 0;     ///< offset in the text of the character after it
  std::uint64_t bytes = 0;  ///< length that its entries would have as text
  compact::Run run;
  unsigned page_shift = 12;  ///< log2 of its page size
};

/// A queue from the decoding thread to the reader, in the order of the text. To write the entries
/// as text and parse them again would cost more than all other work on them.
class PredecodedRuns {
 public:
  /// Maximum number of runs in the queue (3 MiB). If it is full, the writer puts entries into the
  /// text.
  static constexpr std::size_t kMax = 1 << 15;

  /// The reader will take runs from now on. Before this call all entries are in the text.
  void request() { is_requested_ = true; }

  /// How many runs put() may add.
  std::size_t room();
  /// Call it before the text after the runs is passed to the reader.
  void put(const std::vector<PredecodedRun>& runs);

  /// Moves runs at `offset` to the batch, as many as fit, and drops runs before it. `offset` must
  /// not decrease. Returns the length that the moved entries would have as text.
  std::uint64_t take(std::uint64_t offset, PageBatch& batch);
  /// The offset of the first run in the queue, or UINT64_MAX. The text before it is complete.
  std::uint64_t next();

 private:
  std::atomic<bool> is_requested_{false};
  std::mutex mutex_;
  std::deque<PredecodedRun> runs_;
};

/// Bytes of one entry as text.
std::uint64_t entry_bytes(const PageRun& page);

}  // namespace physmem
