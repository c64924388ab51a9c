// SPDX-License-Identifier: MIT
// The text of snapshots to the compact form (formats/compact-snapshots.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/compact/decoder.h"
#include "formats/compact/dictionary_index.h"
#include "formats/compact/entry_text.h"
#include "formats/compact/state.h"

namespace physmem::compact {

/// Whatever the text is, it comes back byte for byte: what a collector would not have written is
/// kept as it is. Each block is decoded as soon as it is made, and compared with its text; a
/// difference would be a bug, and is thrown as std::logic_error. Memory: the dictionaries' bounds
/// twice, two blocks, and the longest text that write() was given.
class Encoder {
 public:
  /// Takes the text that follows. What is complete of the compact form is appended to `out`.
  void write(std::string_view text, std::string& out);
  /// The end of the stream: all that was taken is in `out` then. More text begins another stream;
  /// one behind the other, readers take them as one text.
  void finish(std::string& out);

 private:
  /// Lines up to here are looked at as records; longer ones are kept as they are.
  static constexpr std::size_t kMaxLine = 12 << 10;
  static constexpr std::size_t kEnough =
      kMaxText - kMaxLine - EntryText::kMax;  ///< bytes of text end a block
  /// Bytes of payload end it, too: some texts need more than they have, three for a line of one
  /// byte, 20 for a number that is far from what was expected.
  static constexpr std::size_t kEnoughPayload = kMaxPayload - 2 * kMaxLine;
  /// What the last item adds, a line, and the end of a run or repeat.
  static_assert(kMaxLine + 20 * kMaxFields + 256 < 2 * kMaxLine);

  void encode(bool is_final, std::string& out);
  bool is_block_full() const {
    return block_bytes_ >= kEnough || payload_.size() >= kEnoughPayload;
  }
  bool item(bool is_final);
  void begin_list(List list);
  bool entries(bool is_final);
  void take_entry();
  bool descends();
  bool begin_run();
  bool other_entry(bool is_final);
  void end_run();
  bool is_repeat(const PastRun& run);
  PastRun told(const Run& run);
  void put_run(const PastRun& run);
  void put_use(std::uint64_t number);
  void end_repeat();
  bool line(bool is_final);
  bool record(std::string_view text);
  void note_page_size(std::string_view text);
  void put_line(char letter);
  Field field_of(std::string_view text, const Field& predicted) const;
  void put_field(char letter, const Field& field, const Field& predicted, std::string_view text);
  void raw(std::size_t bytes);
  void put(Item item);
  void forget();
  void end_block(std::string& out);
  void give(std::string_view text, std::string& out);
  void verify(std::string_view text);
  void take(std::size_t bytes) {
    rest_.remove_prefix(bytes);
    block_bytes_ += bytes;
  }

  std::string pending_;          ///< text that was taken and is in no block yet
  std::string_view rest_;        ///< of it, what is not coded
  std::size_t block_bytes_ = 0;  ///< what stands before it, and is
  std::string payload_;
  std::uint32_t checksum_ = 0;
  bool has_begun_ = false;

  State state_;
  DictionaryIndex index_;
  bool is_in_list_ = false;
  List list_ = List::kResident;
  Run run_;                              ///< that is being read; no pages: none
  EntryText entry_;                      ///< that would continue it
  std::uint64_t repeated_ = 0;           ///< runs that were expected, and are not told yet
  std::uint64_t given_uses_ = 1;         ///< of the dictionary, those that a reader knows
  std::vector<std::string_view> texts_;  ///< of a line's fields
  std::string fields_;                   ///< coded

  Decoder decoder_;
  std::string decoded_;
};

}  // namespace physmem::compact
