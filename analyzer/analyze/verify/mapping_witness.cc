// SPDX-License-Identifier: MIT
#include "analyzer/analyze/verify/mapping_witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace physmem {
namespace {

using Kind = RamVerdict::Kind;

constexpr std::string_view kProcesses = "processes ran between M: and R: lines";

/// struct page: _mapcount is an int.
constexpr std::uint64_t kMaxMappings = (std::uint64_t{1} << 31) - 1;

/// vm.max_map_count: so many areas of a process may map one frame.
constexpr std::uint64_t kMaxAreas = 65'530;

/// Each mapping of a frame is an entry of a page table, of 4 bytes or more. CPUs may not have
/// added up some tables yet. If the snapshot lists all entries, a frame has as many mappings at
/// most, twice as many if each process was copied (fork) since, and a new process's mappings.
std::uint64_t max_mappings(const MappingJoin& join, const Ledger& ledger) {
  constexpr std::uint64_t kEntryBytes = 4;
  constexpr std::uint64_t kMaxBatches = 1 << 10;
  std::uint64_t most = kMaxMappings;
  if (join.has_runs() && join.obstacle().empty())
    most = std::min(most, 2 * join.entries() + kMaxAreas);
  const auto tables = ledger.total("page_tables");
  if (!tables) return most;
  const std::uint64_t entries = ledger.header().page_size.bytes / kEntryBytes;
  return std::min(most, (tables->high() + kMaxBatches) * entries);
}

/// What no process that ran in the meantime explains; empty: nothing.
std::string impossible(const MappingJoin& join, const Ledger& ledger) {
  const MappingJoin::Finding outside = join.outside_of_ram(), most = join.most_mapped();
  if (outside.number != 0)
    return fmt::format(
        "{} mapped outside of RAM, the first is {:08X}",
        outside.number == 1 ? "1 frame is" : fmt::format("{} frames are", outside.number),
        outside.pfn);
  if (ledger.header().count != Header::Count::kMapcount ||
      most.number <= max_mappings(join, ledger))
    return "";
  return fmt::format("frame {:08X} has {} mappings, more than page tables can have had entries",
                     most.pfn, most.number);
}

}  // namespace

RamVerdict mapping_verdict(const MappingJoin& join, const Ledger& ledger) {
  RamVerdict verdict{"mappings in page tables", "counts of frames"};
  verdict.ours = join.mappings();
  verdict.theirs = {join.counted(), join.counted()};
  verdict.reason = join.has_runs() ? join.obstacle() : kNoRuns;
  if (verdict.reason.empty()) verdict.frames_off = join.different_frames();
  verdict.note = impossible(join, ledger);
  if (!verdict.note.empty())
    verdict.kind = Kind::kDiffers;
  else if (verdict.reason.empty() && verdict.frames_off == 0)
    verdict.kind = Kind::kAgrees;
  else if (verdict.reason.empty())
    verdict.kind = join.is_of_one_moment() ? Kind::kDiffers : Kind::kMoved;
  if (verdict.kind == Kind::kMoved) verdict.rule = kProcesses;
  return verdict;
}

}  // namespace physmem
