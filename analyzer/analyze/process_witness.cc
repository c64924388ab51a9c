// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process_witness.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace physmem {
namespace {

constexpr std::string_view kPrefix = "process.";
constexpr std::string_view kRan = "processes ran or ended while they were read";

/// The two parts that the kernel rounds to a kB: its number and ours.
constexpr std::uint64_t kRounding = 1;

}  // namespace

void ProcessWitness::on_header(const Header& header) {
  *this = {};
  header_ = header;
}

void ProcessWitness::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters)
    if (counter.name.starts_with(kPrefix)) on_counter(counter);
}

/// process.PID.before.rss_kB
void ProcessWitness::on_counter(const Counter& counter) {
  const std::string_view name = std::string_view(counter.name).substr(kPrefix.size());
  std::uint64_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  const std::string_view rest = name.substr(static_cast<std::size_t>(end - name.data()));
  const bool is_before = rest.starts_with(".before.");
  if (error != std::errc() || (!is_before && !rest.starts_with(".after."))) return;
  const std::string_view what = rest.substr(rest.rfind('.') + 1);
  Reading& reading = is_before ? stated_[pid].before : stated_[pid].after;
  auto* const number = what == "rss_kB"   ? &reading.rss_kib
                       : what == "pss_kB" ? &reading.pss_kib
                       : what == "faults" ? &reading.faults
                                          : nullptr;
  if (number != nullptr) *number = std::min(counter.value, kMaxCounter);
}

void ProcessWitness::on_task(const Task& task) {
  const auto found = stated_.find(task.pid);
  if (found == stated_.end()) return;
  found->second.comm = task.comm;
  found->second.is_listed = true;
}

void ProcessWitness::on_pages(const Process& process, const Area& /*area*/,
                              std::span<const PageRun> runs) {
  if (!stated_.contains(process.pid())) return;
  const PageKinds kinds = kinds_of(header_);
  for (const PageRun& run : runs)
    if ((run.flags & kinds.special) == 0)
      runs_.push_back({process.pid(), header_.frame(run.value), run.pages, run.count});
}

void ProcessWitness::on_process(const Process& process) {
  const auto found = stated_.find(process.pid());
  if (found == stated_.end() || process.areas.empty()) return;
  found->second.rss_pages = 0;
  for (const Area& area : process.areas) found->second.rss_pages += area.tally.resident();
}

/// Frames of one run can have different numbers of entries.
void ProcessWitness::add_share(const Mapped& run, const std::vector<MappingDepth>& depths) {
  const auto found = stated_.find(run.pid);
  if (found == stated_.end()) return;
  Stated& stated = found->second;
  auto next = std::upper_bound(
      depths.begin(), depths.end(), run.pfn,
      [](std::uint64_t pfn, const MappingDepth& depth) { return pfn < depth.pfn; });
  for (std::uint64_t at = run.pfn, end = run.pfn + run.pages; at < end; ++next) {
    const std::uint64_t stop = next == depths.end() ? end : std::min(end, next->pfn);
    const std::uint64_t mappings = next == depths.begin() ? 0 : std::prev(next)->mappings;
    stated.is_settled = stated.is_settled && mappings == run.count;
    stated.share.scaled += PageShare::of(mappings).scaled * (stop - at);
    at = stop;
    if (next == depths.end()) break;
  }
}

void ProcessWitness::add_shares(const std::vector<MappingDepth>& depths) {
  for (const Mapped& run : runs_) add_share(run, depths);
  runs_.clear();
}

WitnessMember ProcessWitness::member_of(std::uint64_t pid, const Stated& stated) {
  WitnessMember member;
  member.name = stated.comm + " " + std::to_string(pid);
  return member;
}

/// A process that ended has one reading only.
RamVerdict ProcessWitness::resident() const {
  std::vector<WitnessMember> members;
  for (const auto& [pid, stated] : stated_) {
    if (!stated.is_listed) continue;
    WitnessMember& member = members.emplace_back(member_of(pid, stated));
    if (!stated.is_complete()) continue;
    member.ours_kib = header_.page_size.kib(stated.rss_pages);
    member.theirs_kib = {*stated.before.rss_kib, *stated.after.rss_kib};
    member.kind = judged(member.ours_kib, member.theirs_kib, 0);
    if (member.kind == VerdictKind::kDiffers && !stated.kept_memory())
      member.kind = VerdictKind::kUnknowable;
  }
  RamVerdict verdict{"processes, resident", "smaps_rollup: Rss"};
  verdict.reason = kRan;
  add_members(verdict, header_.page_size.kib(1), std::move(members));
  return verdict;
}

RamVerdict ProcessWitness::proportional(std::string_view obstacle) const {
  const auto page_kib = static_cast<double>(header_.page_size.kib(1));
  const bool counts_mappings = header_.has_pages && header_.count == Header::Count::kMapcount;
  std::vector<WitnessMember> members;
  for (const auto& [pid, stated] : stated_) {
    if (!stated.is_listed) continue;
    WitnessMember& member = members.emplace_back(member_of(pid, stated));
    if (!stated.is_complete()) continue;
    member.ours_kib = static_cast<std::uint64_t>(stated.share.pages() * page_kib);
    member.theirs_kib = {*stated.before.pss_kib, *stated.after.pss_kib};
    member.kind = judged(member.ours_kib, member.theirs_kib, kRounding);
    const bool is_certain = counts_mappings && stated.kept_shares() && stated.is_settled;
    if (member.kind == VerdictKind::kDiffers && !is_certain) member.kind = VerdictKind::kUnknowable;
  }
  RamVerdict verdict{"processes, proportional", "smaps_rollup: Pss"};
  verdict.rule = "the kernel rounds to 1 kB";
  verdict.reason = obstacle.empty() ? kRan : obstacle;
  add_members(verdict, header_.page_size.kib(1), std::move(members));
  return verdict;
}

}  // namespace physmem
