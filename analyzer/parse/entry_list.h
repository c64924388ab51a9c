// SPDX-License-Identifier: MIT
// Reads M: and S: lines piece by piece, because they may have any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "analyzer/model/header.h"
#include "analyzer/model/page_batch.h"
#include "analyzer/parse/area_entries.h"
#include "analyzer/parse/events.h"
#include "analyzer/parse/mapping_scanner.h"
#include "analyzer/parse/parse_ahead.h"
#include "analyzer/parse/predecoded_runs.h"
#include "analyzer/parse/record_lines.h"
#include "program/result.h"

namespace physmem {

/// The entries of a list come from three places: from threads that have read them ahead, from a
/// decoder that has stored them as runs, or from the text. They are the same from each, as are the
/// errors.
class EntryList {
 public:
  struct Options {
    EntryReader entries = entry_readers().back();  ///< how M: entries are read
    /// Threads, the reader's included; above 1, the others read the entries of a file ahead.
    std::size_t jobs = 1;
    std::uint64_t chunk = ParseAhead::kChunk;  ///< bytes per chunk of such a thread
  };

  /// `predecoded`: runs that the source of the lines has decoded; nullptr: all entries are in the
  /// text.
  EntryList(RecordLines& lines, PredecodedRuns* predecoded, const Options& options)
      : lines_(lines), options_(options), scanner_(options.entries), predecoded_(predecoded) {
    if (predecoded_ != nullptr) predecoded_->request();
  }

  /// Reads the M: line at the front and the lines that continue it. Entries that fit the area are
  /// added to it and passed on, up to the first wrong one.
  Status mappings(AreaEntries& area, const Header& header, Events& events);
  /// The same for an S: line.
  Status swapped(AreaEntries& area, Events& events);

 private:
  /// What the entries of an M: line belong to.
  struct Target {
    AreaEntries& area;
    const Header& header;
    Events& events;

    void take(std::span<const PageRun> runs, const PageSums& sums) const {
      area.add(runs, sums);
      events.on_pages(runs, sums);
    }
  };

  Status scan(const Target& to);
  std::string_view text_to_scan();
  void read_ahead(const PageKinds& kinds);
  bool take_ahead(const Target& to);
  Result<bool> take_predecoded(const Target& to);
  template <class Column>
  Status flush(Column column, const Target& to);
  template <class Column>
  Status find_wrong(Column column, const Target& to);
  Result<SwapEntry> swap_entry(std::string_view entry, AreaEntries& area);
  Error not_swapped(std::string_view entry) const;
  Result<std::optional<std::string_view>> next_swapped();

  RecordLines& lines_;
  Options options_;
  MappingScanner scanner_;
  std::optional<ParseAhead> ahead_;
  PredecodedRuns* predecoded_;
  PageBatch batch_;  ///< entries that were scanned and not yet passed on
};

}  // namespace physmem
