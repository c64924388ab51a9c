// SPDX-License-Identifier: MIT
// The hot path: the text of M: entries to a PageBatch. Nearly every byte of a snapshot passes here
// and nowhere else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analyzer/model/page_batch.h"
#include "analyzer/parse/line_cursor.h"
#include "analyzer/parse/uniform_entries.h"

namespace physmem {

/// Reads entries "VA=VALUE, COUNT, FLAGS |", as many as are whole.
///
/// Neighbours look alike: an entry nearly always has the same bytes as the one before it, but for
/// the digits of its two addresses. So the scanner takes entries as long as they do
/// (uniform_entries.h), learns what they look like now, and goes on. What cannot be learnt goes
/// through the careful reader, which accepts exactly the grammar and explains what it does not
/// accept. The other never accepts what the careful reader would not.
class MappingScanner {
 public:
  enum class Stop {
    kBatchFull,
    kLineEnd,   ///< at the newline, or at the end of the text when it is final
    kNeedMore,  ///< the text ends within an entry
    kFlaw,      ///< flaw() tells; the column counts from the entry's first byte
  };

  /// By the fastest way that this processor has, or by `reader`, which it must be able to run.
  explicit MappingScanner(const EntryReader& reader = entry_readers().back()) : reader_(reader) {}

  /// Takes entries from the front of `text` into the batch. At least Window::kMargin bytes before
  /// and after the text must be readable. `is_final`: no more text follows.
  Stop scan(std::string_view& text, bool is_final, PageBatch& batch);

  /// Where in the text given to scan() each entry of the batch began, by its page's place in the
  /// batch.
  const char* entry(std::uint64_t i) const;
  const Flaw& flaw() const { return flaw_; }

 private:
  /// Entries of the batch that stand one behind the other, each as long.
  struct Row {
    std::uint64_t first = 0;  ///< page of the batch
    const char* at = nullptr;
    std::size_t length = 0;
  };

  const char* take_uniform(const char* at, const char* end, PageBatch& batch);
  bool learn(const char* at, const char* end);
  bool read_carefully(std::string_view entry, PageBatch& batch);
  bool is_full(const PageBatch& batch) const {
    return batch.room() == 0 || rows_ == row_.size() || batch.sums.pages >= kMaxPages;
  }
  void note(const PageBatch& batch, const char* at, std::size_t length);

  static constexpr std::size_t kAtOnce = 1024;              ///< entries
  static constexpr std::uint64_t kMaxPages = 32 * kAtOnce;  ///< of a batch: then text is let go

  EntryReader reader_;
  EntryShape shape_;
  Flaw flaw_;
  std::size_t rows_ = 0;
  std::array<Row, PageBatch::kCapacity> row_;
};

}  // namespace physmem
