// SPDX-License-Identifier: MIT
// Blocks of the compact form back to the text that they were made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/compact/entry_text.h"
#include "formats/compact/state.h"

namespace physmem::compact {

/// Who wants runs of M: as they are, not as text.
class RunTaker {
 public:
  virtual ~RunTaker() = default;
  /// Those entries would stand at `at` of the text that the block becomes, and have so many bytes.
  /// True: it has them, and the text has not.
  virtual bool take(const Run& run, unsigned page_shift, std::size_t at, std::uint64_t bytes) = 0;
};

/// One stream's blocks, in their order. Checks all that it is told: whatever the bytes are, they
/// become exactly as much text as was asked for, or an error.
class Decoder {
 public:
  /// Bytes behind the text that decode() may write to.
  static constexpr std::size_t kSlack = EntryText::kMax;

  /// A block to `text_bytes` bytes at `out`, less those of entries that `taker` takes. Nothing, or
  /// what was wrong with the payload; then no more may follow.
  std::string decode(std::string_view payload, char* out, std::size_t text_bytes,
                     RunTaker* taker = nullptr);
  /// Bytes that the last block became.
  std::size_t produced() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  bool fail(const char* what);
  bool byte(std::uint8_t& value) {
    if (in_ == in_end_) return fail("it ends within an item");
    value = static_cast<std::uint8_t>(*in_++);
    return true;
  }
  bool number(std::uint64_t& value) {
    std::uint8_t first = 0;
    if (!byte(first)) return false;
    value = first;
    return first < 0x80 || rest_of_number(value);  // most have one byte
  }
  bool rest_of_number(std::uint64_t& value);
  bool bytes(std::string_view& text);
  bool put(std::string_view text);
  bool item();
  bool resident();
  bool page_shift();
  bool shape();
  bool line(char letter);
  bool fields(char letter);
  bool field(char letter, Field& field);
  bool name(std::uint64_t number);
  bool write_line(char letter);
  bool run(std::uint8_t head);
  bool repeat();
  bool use(std::uint16_t& place);
  bool write_run(const PastRun& run);
  bool give_run(const Run& run);

  State state_;
  List list_ = List::kResident;
  EntryText entry_;
  std::vector<Field> fields_;  ///< of the line at hand
  const char* in_ = nullptr;   ///< what is left of the payload
  const char* in_end_ = nullptr;
  RunTaker* taker_ = nullptr;
  bool is_line_begin_ = false;  ///< a newline is the last that was written
  bool is_list_ =
      false;  ///< nothing but a line's M: and its entries was written since the last newline
  char* begin_ = nullptr;  ///< of the text
  char* at_ = nullptr;
  char* end_ = nullptr;
  std::string error_;
};

}  // namespace physmem::compact
