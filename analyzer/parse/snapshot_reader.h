// SPDX-License-Identifier: MIT
// Turns the text of a snapshot into events, and checks everything that the format guarantees.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/parse/area_entries.h"
#include "analyzer/parse/entry_list.h"
#include "analyzer/parse/events.h"
#include "analyzer/parse/ram_records.h"
#include "analyzer/parse/record_lines.h"
#include "analyzer/parse/record_parser.h"
#include "program/result.h"

namespace physmem {

/// What the reader skipped. All zero: the file was complete and every byte was used.
struct ReadNotes : LineNotes {
  std::uint64_t wrong_counts = 0;  ///< version 1 areas whose P: and M: differ
  std::uint64_t excluded = 0;      ///< E:, pages whose contents a dump does not hold
  /// note.* counters: the limitations of the collection, by name.
  std::map<std::string, std::uint64_t> collector;

  /// Of a note of the collector; 0: it has not written it.
  std::uint64_t of_collector(const std::string& name) const {
    const auto found = collector.find(name);
    return found == collector.end() ? 0 : found->second;
  }
  /// Processes that a collector with more rights could have read.
  std::uint64_t hidden_processes() const {
    const std::uint64_t all = of_collector("areas_hidden"), init = of_collector("init_hidden");
    return all - std::min(all, init);
  }

  bool data_is_missing() const {
    return elided != 0 || wrong_counts != 0 || dropped_lines != 0 || truncated != 0 ||
           hidden_processes() != 0 ||
           std::any_of(kOfMissingData.begin(), kOfMissingData.end(),
                       [this](const char* name) { return collector.count(name) != 0; });
  }

  /// The notes that also concern tasks, without those on areas and pages.
  ReadNotes of_tasks() const {
    ReadNotes notes = *this;
    notes.wrong_counts = 0;
    notes.excluded = 0;
    for (const char* name : kOfAreas) notes.collector.erase(name);
    return notes;
  }

  static constexpr std::array kOfAreas{"areas_hidden",      "init_hidden",      "space_changed",
                                       "areas_unsupported", "frames_missing",   "area_changed",
                                       "in_transit",        "frame_unreadable", "sharing_unknown",
                                       "ksm_unknown",       "table_excluded",   "frame_excluded"};

  /// Notes of a collector, in addition to hidden processes, that mean that data is missing from
  /// the snapshot.
  static constexpr std::array kOfMissingData{
      "areas_unsupported", "space_changed", "frame_unreadable", "table_excluded", "frame_excluded",
      "name_excluded",     "data_excluded", "symbols_hidden",   "corrupt"};
};

class SnapshotReader {
 public:
  struct Options {
    /// Drop and count lines that break the grammar instead of stopping there.
    bool keep_going = false;
    EntryReader entries = entry_readers().back();  ///< how M: entries are read
    std::size_t jobs = 1;                          ///< threads (EntryList)
    std::uint64_t chunk = ParseAhead::kChunk;      ///< bytes per chunk of such a thread
    bool is_strict = false;                        ///< no fast paths: slower, same result
  };

  SnapshotReader(ByteSource& source, std::string name, Options options);

  /// Reads the next snapshot of the input. False at the end of the input. An input without a
  /// snapshot is an error.
  Result<bool> next(Events& events);

  /// Whether the input ends after the snapshot that next() read.
  bool is_last();

  /// Notes on the snapshot that next() read and on lines dropped before it. After the last
  /// snapshot: notes on the lines after it.
  const ReadNotes& notes() const { return notes_; }

 private:
  enum class Step { kMore, kSnapshotDone, kInputDone };

  Result<bool> read(Events& events);
  Result<bool> begin(Events& events);
  Result<bool> no_more_snapshots();
  Error foreign(const std::string& text) const;
  Result<Step> step(Events& events);
  Result<Step> record(const RecordLine& line, Events& events);
  Result<Step> other_line(const RecordLine& line, Events& events);
  Result<Step> end_of_input(Events& events);
  Result<Step> cut(const RecordLine& line, Events& events);
  Result<Step> end_line(std::string_view line, Events& events);

  Status header(std::string_view line, Events& events);
  Status counters(std::string_view line, Events& events);
  Status holder(std::string_view line, Events& events);
  Status task(std::string_view line, Events& events);
  Status vma(std::string_view line, Events& events);
  Status counts(std::string_view line, Events& events);
  Status ram(const RecordLine& line, Events& events);
  Status totals(std::string_view line, Events& events);
  Status list(char letter, Events& events);
  Status close_area(Events& events);

  bool may_drop(const Error& error, Events& events);
  Result<Step> after(const Status& status, Events& events);

  RecordLines lines_;
  EntryList entries_;
  bool is_strict_;
  ReadNotes notes_;
  VmaHints hints_;
  Header header_;
  Totals seen_;
  RamRecords ram_;
  SnapshotEnd end_;
  bool any_ = false;         ///< a snapshot was read before
  bool has_header_ = false;  ///< on_header() was called for this snapshot
  bool has_task_ = false;    ///< also false after a dropped T:, whose areas have no owner
  std::optional<AreaEntries> area_;
  std::optional<std::uint64_t> last_of_area_;  ///< of the area before in the same process
  bool damaged_ = false;  ///< a line was dropped, so the totals of E: cannot match
};

}  // namespace physmem
