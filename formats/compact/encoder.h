// SPDX-License-Identifier: MIT Encodes the text of snapshots in the compact form
// (formats/compact-snapshots.md).
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

/// Any text is restored byte for byte: text that no collector writes is stored as it is. Each block
/// is decoded at once and compared with its text. A difference is a bug and throws
/// std::logic_error. Memory: twice the bounds of the dictionaries, two blocks, and the longest text
/// given to write().
class Encoder {
 public:
  /// Takes the next part of the text. Appends completed blocks to `out`.
  void write(std::string_view text, std::string& out);
  /// Ends the stream: `out` then has all text. Another stream requires another encoder. Readers
  /// treat concatenated streams as one text.
  void finish(std::string& out);

 private:
  /// Maximum length of a line that is encoded as a record; longer lines are stored as they are.
  static constexpr std::size_t kMaxLine = 12 << 10;
  /// A block ends after this many bytes of text.
  static constexpr std::size_t kEnough = kMaxText - kMaxLine - EntryText::kMax;
  /// A block also ends after this many bytes of payload, because the payload can be longer than the
  /// text: 3 bytes for a line of one byte, 20 for a number that is far from its prediction.
  static constexpr std::size_t kEnoughPayload = kMaxPayload - 2 * kMaxLine;
  /// Maximum size of the last item: a line, and the end of a run or repeat.
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
  PastRun relative(const Run& run);
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
  void reset();
  void end_block(std::string& out);
  void give(std::string_view text, std::string& out);
  void verify(std::string_view text);
  void take(std::size_t bytes) {
    rest_.remove_prefix(bytes);
    block_bytes_ += bytes;
  }

  std::string pending_;          ///< text that is not in a finished block yet
  std::string_view rest_;        ///< part of pending_ that is not encoded yet
  std::size_t block_bytes_ = 0;  ///< bytes before rest_, encoded in the current block
  std::string payload_;
  std::uint32_t checksum_ = 0;
  bool has_begun_ = false;

  State state_;
  DictionaryIndex index_;
  bool is_in_list_ = false;
  List list_ = List::kResident;
  Run run_;                              ///< the current run; 0 pages: none
  EntryText entry_;                      ///< the entry that would continue it
  std::uint64_t repeated_ = 0;           ///< repeated runs that are not written yet
  std::uint64_t given_uses_ = 1;         ///< uses in the dictionary that a reader knows
  std::vector<std::string_view> texts_;  ///< the fields of a line
  std::string fields_;                   ///< the same, encoded

  Decoder decoder_;
  std::string decoded_;
};

}  // namespace physmem::compact
