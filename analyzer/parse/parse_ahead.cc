// SPDX-License-Identifier: MIT
#include "analyzer/parse/parse_ahead.h"

#include <algorithm>
#include <exception>
#include <new>
#include <string_view>
#include <utility>

#include "analyzer/parse/mapped_file.h"
#include "analyzer/parse/mapping_scanner.h"

namespace physmem {
namespace {

constexpr std::size_t kMaxPrefix = 4096;  // bytes of an entry: a longer one is left to the reader

}  // namespace

/// One thread's scanner.
class ParseAhead::Worker {
 public:
  Worker(std::string_view file, std::uint64_t chunk, const EntryReader& entries,
         const PageKinds& kinds)
      : file_(file), chunk_(chunk), scanner_(entries) {
    batch_.kinds = kinds;
  }

  /// Reads the entries that begin in the chunk. False if the file ends before it.
  bool read(Chunk& chunk) {
    offset_ = chunk.number * chunk_;
    if (offset_ >= file_.size()) return false;
    text_ = file_.substr(offset_);
    end_ = std::min<std::uint64_t>(offset_ + chunk_, file_.size());
    prefault(text_.substr(0, chunk_));
    if (offset_ != 0 && *(text_.data() - 1) != '\n') within_line(chunk);
    while (offset_ < end_ && !text_.empty() && !is_full(chunk)) {
      if (text_.starts_with("M:")) {
        advance(2);
        entries(chunk);
      }
      const std::size_t left = static_cast<std::size_t>(std::max(end_, offset_) - offset_);
      const std::size_t newline = text_.substr(0, left).find('\n');
      if (newline == std::string_view::npos) break;
      advance(newline + 1);
    }
    return true;
  }

 private:
  void advance(std::size_t n) {
    text_.remove_prefix(n);
    offset_ += n;
  }

  /// Bounds memory for crafted input. Entries written by collectors have twice as many bytes, and a
  /// run may cover several entries.
  bool is_full(const Chunk& chunk) const { return chunk.runs.size() >= chunk_ / 24; }

  /// The chunk begins inside a line. If that is an M: line, the next entry begins after the next
  /// '|'.
  void within_line(Chunk& chunk) {
    if (*(text_.data() - 1) != '|') {
      const std::size_t bar = text_.substr(0, chunk_).find_first_of("|\n");
      if (bar == std::string_view::npos || text_[bar] == '\n') return;
      advance(bar + 1);
    }
    entries(chunk);
  }

  /// Reads entries up to the newline, or to the first one that begins after the chunk.
  void entries(Chunk& chunk) {
    while (offset_ < end_ && !text_.empty() && !is_full(chunk)) {
      std::string_view rest = text_.substr(0, static_cast<std::size_t>(end_ - offset_));
      const std::size_t size = rest.size();
      const auto stop = scanner_.scan(rest, false, batch_);
      take(chunk, size - rest.size());
      // An entry that follows a '|' at the end of the chunk belongs to the next chunk.
      const bool is_ours = offset_ < end_ || *(text_.data() - 1) != '|';
      if (stop == MappingScanner::Stop::kNeedMore && is_ours) last_entry(chunk);
      if (stop != MappingScanner::Stop::kBatchFull) break;
    }
  }

  /// Reads the entry that crosses the end of the chunk.
  void last_entry(Chunk& chunk) {
    const std::size_t bar = text_.substr(0, kMaxPrefix).find_first_of("|\n");
    if (bar == std::string_view::npos || text_[bar] == '\n') return;
    std::string_view entry = text_.substr(0, bar + 1);
    const auto stop = scanner_.scan(entry, true, batch_);
    if (stop != MappingScanner::Stop::kFlaw) take(chunk, bar + 1 - entry.size());
    batch_.clear();
  }

  /// Moves the batch, which was read from `bytes` bytes, to the chunk.
  void take(Chunk& chunk, std::size_t bytes) {
    const auto runs = batch_.runs();
    if (!runs.empty())
      chunk.found.push_back(
          {offset_, offset_ + bytes, chunk.runs.size(), runs.size(), batch_.sums});
    chunk.runs.insert(chunk.runs.end(), runs.begin(), runs.end());
    batch_.clear();
    advance(bytes);
  }

  std::string_view file_;
  std::uint64_t chunk_;
  MappingScanner scanner_;
  PageBatch batch_;
  std::string_view text_;
  std::uint64_t offset_ = 0;
  std::uint64_t end_ = 0;
};

ParseAhead::ParseAhead(std::string_view text, std::uint64_t from, std::size_t threads,
                       const PageKinds& kinds, const EntryReader& entries, std::uint64_t chunk)
    : text_(text),
      chunk_(chunk),
      kinds_(kinds),
      entries_(entries),
      max_chunks_(std::min(kMaxChunks, 4 * threads)),
      next_(from / chunk),
      passed_(from),
      released_(from),
      working_(threads) {
  try {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::exception&) {
    // Fewer threads only make reading slower.
    const std::lock_guard lock(mutex_);
    working_ -= threads - threads_.size();
  }
}

ParseAhead::~ParseAhead() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  has_room_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

/// Waiting threads continue only when half of the chunks are free: to sleep and wake costs as much
/// as reading a chunk.
bool ParseAhead::is_room() const {
  return chunks_.size() <= max_chunks_ / 2;
}

/// nullptr when the threads shall stop.
std::shared_ptr<ParseAhead::Chunk> ParseAhead::next_chunk() {
  std::unique_lock lock(mutex_);
  if (chunks_.size() >= max_chunks_) has_room_.wait(lock, [this] { return stops_ || is_room(); });
  if (stops_) return nullptr;
  if (spare_.empty()) spare_.push_back(std::make_shared<Chunk>());
  std::shared_ptr<Chunk> chunk = std::move(spare_.back());
  spare_.pop_back();
  chunk->number = next_++;
  chunk->is_done = false;
  chunk->found.clear();
  chunk->runs.clear();
  chunks_.push_back(chunk);
  return chunk;
}

/// Text that the reader has passed, to be released by the calling thread. A release waits for all
/// CPUs (TLB flush), so the busiest thread, the reader, does not do it.
std::string_view ParseAhead::passed() {
  constexpr std::uint64_t kWorthIt = 1 << 20;  // bytes
  const std::lock_guard lock(mutex_);
  if (passed_ - released_ < kWorthIt) return {};
  const std::uint64_t from = std::exchange(released_, passed_);
  return text_.substr(from, passed_ - from);
}

void ParseAhead::done(Chunk& chunk) {
  {
    const std::lock_guard lock(mutex_);
    chunk.is_done = true;
  }
  is_done_.notify_all();
}

/// False when the threads shall stop. Entries that are missing for lack of memory are read by the
/// reader.
bool ParseAhead::read_next(Worker& worker) {
  const auto chunk = next_chunk();
  if (!chunk) return false;
  release_pages(passed());
  bool was_read = false;
  try {
    was_read = worker.read(*chunk);
  } catch (const std::bad_alloc&) {
    chunk->found.clear();
  }
  done(*chunk);
  return was_read;
}

void ParseAhead::work() {
  try {
    Worker worker(text_, chunk_, entries_, kinds_);
    while (read_next(worker)) continue;
  } catch (const std::bad_alloc&) {
    // The reader reads the entries itself.
  }
  const std::lock_guard lock(mutex_);
  --working_;
  is_done_.notify_all();
}

/// True if a thread has read the chunk; otherwise the reader must.
bool ParseAhead::wait_for(std::uint64_t number) {
  std::unique_lock lock(mutex_);
  for (; !chunks_.empty() && chunks_.front()->number < number; chunks_.pop_front())
    if (chunks_.front()->is_done) spare_.push_back(std::move(chunks_.front()));
  passed_ = std::max(passed_, number * chunk_);
  if (is_room()) has_room_.notify_all();
  if (chunks_.empty() || chunks_.front()->number != number) {
    next_ = std::max(next_, number + 1);
    return false;
  }
  current_ = chunks_.front();
  if (current_->is_done) return true;
  if (next_ == number + 1) ++next_;
  is_done_.wait(lock, [&] { return working_ == 0 || current_->is_done; });
  return current_->is_done;
}

/// The next pieces were written by another CPU and are not in this one's caches.
void ParseAhead::prefetch_after(const Found& piece) const {
  constexpr std::size_t kLine = 64;
  const auto* const found = reinterpret_cast<const char*>(&piece + 2);
  for (std::size_t i = 0; i < sizeof piece; i += kLine) __builtin_prefetch(found + i);
  const auto* const runs =
      reinterpret_cast<const char*>(current_->runs.data() + piece.first_run + piece.runs);
  for (std::size_t i = 0; i < 4 * kLine; i += kLine) __builtin_prefetch(runs + i);
}

ParseAhead::Piece ParseAhead::at(std::uint64_t offset) {
  const std::uint64_t number = go_to(offset);
  if (number == own_) return {};
  if (!current_ || current_->number != number) {
    current_.reset();
    place_ = 0;
    if (!wait_for(number)) {
      own_ = number;
      prefault(text_.substr(number * chunk_, chunk_));
      return {};
    }
  }
  const std::vector<Found>& found = current_->found;
  while (place_ < found.size() && found[place_].begin < offset) ++place_;
  if (place_ == found.size() || found[place_].begin != offset) return {};
  const Found& piece = found[place_];
  prefetch_after(piece);
  return {piece.begin, piece.end, std::span(current_->runs).subspan(piece.first_run, piece.runs),
          piece.sums};
}

std::uint64_t ParseAhead::retry_at(std::uint64_t offset) {
  // go_to() resets retry_at_ in another chunk.
  const std::uint64_t end = (go_to(offset) + 1) * chunk_;
  if (retry_at_ != 0) return retry_at_;
  if (end >= text_.size()) return retry_at_ = text_.size();
  const std::size_t bar = text_.substr(end - 1, kMaxPrefix).find_first_of("|\n");
  return retry_at_ = bar == std::string_view::npos ? text_.size() : end + bar;
}

/// The number of the reader's chunk. Called several times per area, so the chunk is mostly the same
/// as before.
std::uint64_t ParseAhead::go_to(std::uint64_t offset) {
  if (offset - here_ * chunk_ < chunk_) return here_;
  retry_at_ = 0;
  return here_ = offset / chunk_;
}

}  // namespace physmem
