// SPDX-License-Identifier: MIT
// The hot path: the text of M: entries to a PageBatch. Nearly every byte of a snapshot passes here and
// nowhere else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analyzer/model/page_batch.h"
#include "analyzer/parse/line_cursor.h"

namespace physmem {

/// Reads entries "VA=VALUE, COUNT, FLAGS |", as many as are whole.
///
/// Neighbours look alike: an entry nearly always has the field widths of the one before it. So the scanner
/// guesses that, tests the separators where they must then be, and decodes all digits of a field at once.
/// After a wrong guess it looks where the separators are and guesses again. What is still wrong goes through
/// the careful reader, which accepts exactly the grammar and explains what it does not accept. The guess
/// never accepts what the careful reader would not.
class MappingScanner {
 public:
  enum class Stop {
    kBatchFull,
    kLineEnd,   ///< at the newline, or at the end of the text when it is final
    kNeedMore,  ///< the text ends within an entry
    kFlaw,      ///< flaw() tells; the column counts from the entry's first byte
  };

  /// Takes entries from the front of `text` into the batch. At least Window::kMargin bytes before and after
  /// the text must be readable. `is_final`: no more text follows.
  Stop scan(std::string_view& text, bool is_final, PageBatch& batch);

  /// Where in the text given to scan() each entry of the batch began.
  const char* entry(std::size_t i) const { return starts_[i]; }
  const Flaw& flaw() const { return flaw_; }

 private:
  /// Digits of each field of the entry before.
  struct Widths {
    std::size_t va = 0;
    std::size_t value = 0;
    std::size_t flags = 0;
  };

  const char* guess(const char* at, const char* end, PageBatch& batch);
  bool read_carefully(std::string_view entry, PageBatch& batch);
  bool measure(const char* at, const char* end);

  Widths widths_;
  Flaw flaw_;
  std::array<const char*, PageBatch::kCapacity> starts_{};
};

}  // namespace physmem
