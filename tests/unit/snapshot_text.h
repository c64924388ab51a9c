// SPDX-License-Identifier: MIT
// Reads a snapshot from a raw string into text (Reading) or into analyses (fold).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/analyze/census.h"
#include "analyzer/parse/snapshot_reader.h"
#include "tests/unit/event_text.h"
#include "tests/unit/whole_source.h"

namespace physmem {

/// The example of formats/physmem-records.md.
inline constexpr std::string_view kSample =
    R"(H: 2, arch=x86_64, page_size=4096, kernel=6.1.0, collector=proc, time_ns=1763683200000000000, uptime_ns=86400000000000, hz=100, ram_pages=6160384, phys_mask=000FFFFFFFFFF000, pte=none, prot=none, flags=kpf, count=mapcount, pages=all, pfn=shown
G: vm.pgfault=1203344, vm.pgmajfault=160, psi.memory.some_us=0, mem.MemTotal_kB=24641536
G: at.uptime_ns=86400000120000
T: cat     , 371, 00000173, 1, 92, 0, 0, 0, 0, 0, 371, 8639981, 370, 0, 92, 0, 0, 0, /user.slice
V: 55D0C1A00000, 55D0C1A01FFF, 00002000, 00002000, 00000000, 00001001, /usr/bin/cat, 00000000, FE:01, 1835
P: 2, 0, 2, 0, 2, 0
M: 55D0C1A00000=1A2B3000, 2, 0000086C | 55D0C1A01000=1A2B4000, 2, 0000086C |
V: 7FFD3E000000, 7FFD3E020FFF, 00021000, 00001000, 00000000, 00000103, [stack], 00000000, 00:00, 0
P: 1, 0, 0, 1, 0, 1
M: 7FFD3E020000=2C0F5000, 1, 00005868 |
S: 7FFD3E01F000=0:000002A4 |
T: kswapd0 , 52, 00000000, 0, 0, 0, 0, 0, 0, 12, 52, 31, 2, 0, 0, 0, 0, 12, /
E: 2, 2, 3, 1, 0
)";

inline constexpr std::string_view kHeaderLine =
    "H: 2, arch=x86_64, page_size=4096, kernel=6.1.0, collector=proc, time_ns=0, uptime_ns=0, "
    "hz=100, "
    "ram_pages=1000, "
    "phys_mask=000FFFFFFFFFF000, pte=none, prot=none, flags=kpf, count=mapcount, pages=all, "
    "pfn=shown\n";
inline constexpr std::string_view kTaskLine =
    "T: cat     , 7, 00000007, 0, 0, 0, 0, 0, 0, 0, 7, 1, 1, 0\n";

/// Gives its text in pieces of 1 to `max_piece` bytes, in a fixed pattern.
class PiecewiseSource : public ByteSource {
 public:
  PiecewiseSource(std::string_view text, std::size_t max_piece)
      : text_(text), max_piece_(max_piece) {}
  Result<std::size_t> read(char* to, std::size_t size) override {
    state_ = state_ * 1664525 + 1013904223;
    const std::size_t n = std::min({size, text_.size(), 1 + (state_ >> 16) % max_piece_});
    std::copy_n(text_.data(), n, to);
    text_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view text_;
  std::size_t max_piece_;
  std::uint32_t state_ = 1;
};

/// The result of reading a text: its events, or those before the error.
struct Reading {
  std::string events;
  std::string error;  ///< empty: every snapshot was read to its end
  std::uint64_t snapshots = 0;
  ReadNotes notes;  ///< of the last snapshot, or of what was dropped after it
};

inline Reading read_from(ByteSource& source, SnapshotReader::Options options) {
  SnapshotReader reader(source, "s.txt", options);
  EventText events;
  Reading reading;
  while (true) {
    const auto more = reader.next(events);
    if (!more) reading.error = more.error().text;
    if (!more || *more || reader.notes().data_is_missing()) reading.notes = reader.notes();
    if (!more || !*more) break;
    ++reading.snapshots;
  }
  reading.events = events.text();
  return reading;
}

inline Reading read_from(ByteSource& source, bool keep_going = false) {
  return read_from(source, {.keep_going = keep_going});
}

inline Reading read(std::string_view text, bool keep_going = false,
                    EntryReader entries = entry_readers().back()) {
  const auto source = text_source(text);
  return read_from(*source, {keep_going, entries});
}

/// Reads `text`, which must be valid, into the analyses.
inline Census fold(std::string_view text, std::vector<Analysis*> analyses,
                   std::set<std::uint64_t> only = {}, bool keep_going = false) {
  const auto source = text_source(text);
  SnapshotReader reader(*source, "s.txt", {keep_going});
  Census census(std::move(analyses), {.pids = std::move(only)});
  const auto found = reader.next(census);
  EXPECT_TRUE(found) << (found ? "" : found.error().text);
  return census;
}

/// Reads all snapshots of `text` into the analyses.
inline void fold_series(std::string_view text, const std::vector<Analysis*>& analyses) {
  const auto source = text_source(text);
  SnapshotReader reader(*source, "s.txt", {});
  for (bool is_end = false; !is_end;) {
    Census census(analyses);
    const auto found = reader.next(census);
    ASSERT_TRUE(found) << found.error().text;
    is_end = !*found;
  }
}

/// With the header and the end of these tasks, areas and entries of M:.
inline std::string whole_snapshot(const std::string& records) {
  const auto count = [&](std::string_view text) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = records.find(text, at)) != std::string::npos; ++at) ++found;
    return std::to_string(found);
  };
  return std::string(kHeaderLine) + records + "E: " + count("T: ") + ", " + count("V: ") + ", " +
         count(" |") + ", 0, 0\n";
}

/// T: of a process with one thread.
inline std::string task_record(int pid, const std::string& name) {
  const std::string id = std::to_string(pid);
  return "T: " + name + ", " + id + ", 0000000" + id + ", 0, 0, 0, 0, 0, 0, 0, " + id +
         ", 100, 1, 0, 0, 0, 0, 0, /\n";
}

/// `text` with the first `from` in it replaced by `to`.
inline std::string with(std::string_view text, std::string_view from, std::string_view to) {
  std::string changed(text);
  const std::size_t at = changed.find(from);
  EXPECT_NE(at, std::string::npos) << "the sample has no " << from;
  return at == std::string::npos ? changed : changed.replace(at, from.size(), to);
}

}  // namespace physmem
