// SPDX-License-Identifier: MIT
// The hot path: parses the text of M: entries, nearly all bytes of a snapshot, into a PageBatch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analyzer/model/page_batch.h"
#include "analyzer/parse/line_cursor.h"
#include "analyzer/parse/uniform_entries.h"

namespace physmem {

/// Reads all complete entries "VA=VALUE, COUNT, FLAGS |".
///
/// An entry nearly always differs from the one before it only in the digits of its two addresses.
/// The fast path (uniform_entries.h) reads such entries as long as they have the learnt shape. When
/// the shape changes, the scanner learns the new one. Entries without a usable shape take the
/// strict path, which accepts exactly the grammar and reports errors. The fast path never accepts
/// what the strict path would reject.
class MappingScanner {
 public:
  enum class Stop {
    kBatchFull,
    kLineEnd,   ///< at the newline, or at the end of the text if it is final
    kNeedMore,  ///< the text ends inside an entry
    kFlaw,      ///< see flaw(); its column counts from the first byte of the entry
  };

  /// Uses the fastest reader for this CPU, or `reader`, which the CPU must support.
  explicit MappingScanner(const EntryReader& reader = entry_readers().back()) : reader_(reader) {}

  /// Moves entries from the front of `text` into the batch. At least Window::kMargin bytes before
  /// and after the text must be readable. `is_final`: no more text follows.
  Stop scan(std::string_view& text, bool is_final, PageBatch& batch);

  /// The start, in the text given to scan(), of the entry for page `i` of the batch.
  const char* entry(std::uint64_t i) const;
  const Flaw& flaw() const { return flaw_; }

 private:
  /// Adjacent entries of the batch that have the same length.
  struct Row {
    std::uint64_t first = 0;  ///< its page in the batch
    const char* at = nullptr;
    std::size_t length = 0;
  };

  const char* take_uniform(const char* at, const char* end, PageBatch& batch);
  bool learn(const char* at, const char* end);
  bool read_strictly(std::string_view entry, PageBatch& batch);
  bool is_full(const PageBatch& batch) const {
    return batch.room() == 0 || rows_ == row_.size() || batch.sums.pages >= kMaxPages;
  }
  void note(const PageBatch& batch, const char* at, std::size_t length);

  static constexpr std::size_t kAtOnce = 1024;  ///< entries
  static constexpr std::uint64_t kMaxPages =
      32 * kAtOnce;  ///< of a batch; bounds the text between two releases

  EntryReader reader_;
  EntryShape shape_;
  Flaw flaw_;
  std::size_t rows_ = 0;
  std::array<Row, PageBatch::kCapacity> row_;
};

}  // namespace physmem
