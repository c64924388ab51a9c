// SPDX-License-Identifier: MIT
// M: lines read by other threads before the reader comes to them.
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

/// A file is cut into chunks. Each thread takes the next one, looks for M: lines (from the chunk's
/// first byte, it may be within one) and reads their entries. It knows nothing of areas and of what
/// the lines before say: that, and every error, stays with the reader, which goes over the file as
/// it does alone, and asks at each place where entries begin whether somebody has been there. So
/// the answer is the same with any number of threads.
///
/// Where nobody has been there yet the reader reads the entries of the chunk itself, and the others
/// go on behind it: no processor waits while there is work. Once it had to wait for somebody it
/// keeps the next chunk for itself, so that the others get ahead again.
///
/// Memory: text and runs of kMaxChunks at most; as many threads are more than the reader can
/// follow.
class ParseAhead {
 public:
  /// Entries from `begin` to `end` (offsets in the file), all of them good.
  struct Piece {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::span<const PageRun> runs;  ///< at most PageBatch::kCapacity
    PageSums sums;
  };

  static constexpr std::uint64_t kChunk = 256 << 10;  ///< bytes
  static constexpr std::size_t kMaxChunks = 8;
  static constexpr std::size_t kMaxThreads = kMaxChunks / 2;

  /// From offset `from` of the file on. `text` is all of it, with margins as MappedFile has them.
  /// `threads` are those besides the reader's.
  ParseAhead(std::string_view text, std::uint64_t from, std::size_t threads, const PageKinds& kinds,
             const EntryReader& entries, std::uint64_t chunk = kChunk);
  ~ParseAhead();
  ParseAhead(const ParseAhead&) = delete;
  ParseAhead& operator=(const ParseAhead&) = delete;

  const PageKinds& kinds() const { return kinds_; }

  /// The entries that begin at `offset`, which never goes back; without runs when nobody has read
  /// them. Waits for who is at it. Until the next call.
  Piece at(std::uint64_t offset);

  /// Where the reader, which at() gave nothing at `offset`, should ask again: behind the last entry
  /// that begins in the chunk.
  std::uint64_t ask_again(std::uint64_t offset);

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
  void ask_behind(const Found& piece) const;
  void done(Chunk& chunk);
  bool read_next(Worker& worker);
  void work();

  std::string_view text_;
  std::uint64_t chunk_;
  PageKinds kinds_;
  EntryReader entries_;
  std::size_t most_;

  std::mutex mutex_;
  std::condition_variable has_room_;  ///< for the threads
  std::condition_variable is_done_;   ///< for the reader
  bool stops_ = false;
  std::uint64_t next_;                         ///< chunk that nobody has taken
  std::uint64_t behind_ = 0;                   ///< offset: the reader was here
  std::uint64_t forgotten_ = 0;                ///< offset: memory need not hold what is before
  std::deque<std::shared_ptr<Chunk>> chunks_;  ///< taken, and not behind the reader
  std::vector<std::shared_ptr<Chunk>>
      spare_;            ///< behind the reader: new ones would be zeroed by the kernel each time
  std::size_t working_;  ///< threads
  std::uint64_t own_ = UINT64_MAX;  ///< chunk that the reader reads itself
  std::uint64_t here_ = 0;          ///< chunk that the reader asked for last
  std::uint64_t ask_again_ = 0;     ///< of that chunk, once somebody wanted to know
  std::shared_ptr<Chunk> current_;  ///< the reader's
  std::size_t place_ = 0;           ///< of the reader in current_->found

  std::vector<std::thread> threads_;
};

}  // namespace physmem
