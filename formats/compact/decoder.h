// SPDX-License-Identifier: MIT Decodes blocks of the compact form to the original text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/compact/entry_text.h"
#include "formats/compact/state.h"

namespace physmem::compact {

/// Interface for callers that take runs of M: entries directly instead of as text.
class RunTaker {
 public:
  virtual ~RunTaker() = default;
  /// Offers a run whose entries would be at offset `at` of the block's text and have `bytes` bytes.
  /// Returns true if it took the run; then the text does not contain the entries.
  virtual bool take(const Run& run, unsigned page_shift, std::size_t at, std::uint64_t bytes) = 0;
};

/// Decodes the blocks of one stream, in order. All input is checked: for any bytes, the result is
/// exactly as much text as requested, or an error.
class Decoder {
 public:
  /// Bytes after the text that decode() may overwrite.
  static constexpr std::size_t kSlack = EntryText::kMax;

  /// Decodes a block to `text_bytes` bytes at `out`, without the entries that `taker` takes.
  /// Returns an empty string, or the error in the payload. After an error no more blocks may
  /// follow.
  std::string decode(std::string_view payload, char* out, std::size_t text_bytes,
                     RunTaker* taker = nullptr);
  /// Bytes of text that the last block produced.
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
  std::vector<Field> fields_;  ///< of the current line
  const char* in_ = nullptr;   ///< rest of the payload
  const char* in_end_ = nullptr;
  RunTaker* taker_ = nullptr;
  bool is_line_begin_ = false;  ///< the last byte written is a newline
  /// Only M: and its entries were written since the last newline.
  bool is_list_ = false;
  char* begin_ = nullptr;  ///< of the text
  char* at_ = nullptr;
  char* end_ = nullptr;
  std::string error_;
};

}  // namespace physmem::compact
