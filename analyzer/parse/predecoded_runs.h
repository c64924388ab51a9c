// SPDX-License-Identifier: MIT
// Entries of M: that the compact form has as runs, handed to the reader beside the text.
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

/// A run that stands between two characters of the text, where its entries would be.
struct KnownRun {
  std::uint64_t at = 0;     ///< offset in the text of what follows
  std::uint64_t bytes = 0;  ///< that its entries would have
  compact::Run run;
  unsigned page_shift = 12;  ///< its pages are as large
};

/// From the thread that decodes to the reader, in the order of the text. To write the entries and
/// to read them again would cost more than all else that is done with them.
class PredecodedRuns {
 public:
  /// So many wait here, most: 3 MiB. A writer that has no room puts entries into the text.
  static constexpr std::size_t kMax = 1 << 15;

  /// Somebody will take them from now on; before that all entries are in the text.
  void want() { is_wanted_ = true; }

  /// How many may be put.
  std::size_t room();
  /// Before anybody gets the text behind them.
  void put(const std::vector<KnownRun>& runs);

  /// Adds those at `offset` to the batch, as many as fit; those before it, which never goes back,
  /// are forgotten. Gives back the bytes of text that they would be.
  std::uint64_t take(std::uint64_t offset, PageBatch& batch);
  /// Where the first stands that was not taken, or UINT64_MAX: the text before it has all that is
  /// there.
  std::uint64_t next();

 private:
  std::atomic<bool> is_wanted_{false};
  std::mutex mutex_;
  std::deque<KnownRun> runs_;
};

/// Bytes of one entry, written as in the compact form.
std::uint64_t entry_bytes(const PageRun& page);

}  // namespace physmem
