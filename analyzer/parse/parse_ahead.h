// SPDX-License-Identifier: MIT
// Threads that read M: lines ahead of the reader.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "analyzer/model/page_run.h"
#include "analyzer/model/page_sums.h"
#include "analyzer/parse/uniform_entries.h"

namespace physmem {

/// A file is divided into chunks. Each thread takes the next chunk, finds its M: lines and reads
/// their entries. A chunk may begin inside an M: line. The threads ignore areas, earlier lines and
/// errors, which are left to the reader. The reader processes the file as it would alone, and at
/// the start of entries it asks whether a thread has read them. So the result does not depend on
/// the number of threads.
///
/// If no thread has taken a chunk, the reader reads its entries itself and the threads continue
/// after it, so that no CPU idles while there is work. If the reader has to wait for a
/// thread, it reserves the next chunk for itself, so that the threads get ahead again.
///
/// Memory: text and runs of at most kMaxChunks chunks. More than kMaxThreads threads do not help:
/// the reader becomes the bottleneck.
class ParseAhead {
 public:
  /// Valid entries from `begin` to `end` (offsets in the file).
  struct Piece {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::span<const PageRun> runs;  ///< at most PageBatch::kCapacity
    PageSums sums;
  };

  static constexpr std::uint64_t kChunk = 256 << 10;  ///< bytes
  static constexpr std::size_t kMaxChunks = 8;
  static constexpr std::size_t kMaxThreads = kMaxChunks / 2;

  /// Begins at offset `from`. `text` is the whole file, with the margins of MappedFile. `threads`
  /// excludes the reader's own thread.
  ParseAhead(std::string_view text, std::uint64_t from, std::size_t threads, const PageKinds& kinds,
             const EntryReader& entries, std::uint64_t chunk = kChunk);
  ~ParseAhead();
  ParseAhead(const ParseAhead&) = delete;
  ParseAhead& operator=(const ParseAhead&) = delete;

  const PageKinds& kinds() const { return kinds_; }

  /// The entries that begin at `offset`, which must not decrease. Has no runs if no thread has read
  /// them. Waits for a thread that is reading them. Valid until the next call.
  Piece at(std::uint64_t offset);

  /// The offset of the next useful call of at(), after at(offset) returned no runs: after the last
  /// entry that begins in the chunk.
  std::uint64_t retry_at(std::uint64_t offset);

 private:
  struct Found {
    std::uint64_t begin;
    std::uint64_t end;
    std::size_t first_run;
    std::size_t runs;
    PageSums sums;
  };
  struct Chunk {
    std::uint64_t number = 0;
    bool is_done = false;
    std::vector<Found> found;
    std::vector<PageRun> runs;
  };
  class Worker;

  bool is_room() const;
  std::shared_ptr<Chunk> next_chunk();
  bool wait_for(std::uint64_t number);
  std::uint64_t go_to(std::uint64_t offset);
  std::string_view passed();
  void prefetch_after(const Found& piece) const;
  void done(Chunk& chunk);
  bool read_next(Worker& worker);
  void work();

  std::string_view text_;
  std::uint64_t chunk_;
  PageKinds kinds_;
  EntryReader entries_;
  std::size_t max_chunks_;

  std::mutex mutex_;
  std::condition_variable has_room_;  ///< for the threads
  std::condition_variable is_done_;   ///< for the reader
  bool stops_ = false;
  std::uint64_t next_;          ///< next chunk that is not taken
  std::uint64_t passed_ = 0;    ///< offset up to which the reader is known to have read
  std::uint64_t released_ = 0;  ///< offset before which pages were released
  std::deque<std::shared_ptr<Chunk>> chunks_;  ///< taken, and not yet passed by the reader
  /// Passed by the reader, for reuse: the kernel would have to zero new ones.
  std::vector<std::shared_ptr<Chunk>> spare_;
  std::size_t working_;             ///< threads
  std::uint64_t own_ = UINT64_MAX;  ///< chunk that the reader reads itself
  std::uint64_t here_ = 0;          ///< chunk that the reader asked for last
  std::uint64_t retry_at_ = 0;      ///< of that chunk; 0: not computed yet
  std::shared_ptr<Chunk> current_;  ///< the reader's
  std::size_t place_ = 0;           ///< of the reader in current_->found

  std::vector<std::thread> threads_;
};

}  // namespace physmem
