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
constexpr std::string_view kRan = "processes ran while they were read";

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
  Stated& stated = stated_[pid];
  RamTotal* const total = what == "rss_kB"   ? &stated.rss_kib
                          : what == "pss_kB" ? &stated.pss_kib
                          : what == "faults" ? &stated.faults
                                             : nullptr;
  if (total == nullptr) return;
  (is_before ? total->before : total->after) = counter.value;
  stated.times += what == "rss_kB" ? 1 : 0;
}

void ProcessWitness::on_pages(const Process& process, const Area& /*area*/,
                              std::span<const PageRun> runs) {
  entries_.add(header_, runs);
  const PageKinds kinds = kinds_of(header_);
  for (const PageRun& run : runs)
    if ((run.flags & kinds.special) == 0)
      runs_.push_back({process.pid(), header_.frame(run.value), run.pages, run.count});
}

void ProcessWitness::on_process(const Process& process) {
  const auto found = stated_.find(process.pid());
  if (found == stated_.end() || process.areas.empty()) return;
  Stated& stated = found->second;
  stated.comm = process.task.comm;
  stated.has_areas = true;
  stated.rss_pages = 0;
  for (const Area& area : process.areas) stated.rss_pages += area.tally.resident();
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

void ProcessWitness::on_end() {
  if (stated_.empty()) return;
  const std::vector<MappingDepth> depths = entries_.depths();
  for (const Mapped& run : runs_) add_share(run, depths);
  runs_.clear();
}

/// Equal numbers and no fault in between: nothing came, so nothing came and went.
bool ProcessWitness::Stated::is_idle() const {
  return rss_kib.before == rss_kib.after && pss_kib.before == pss_kib.after &&
         faults.before == faults.after;
}

std::string ProcessWitness::name_of(std::uint64_t pid, const Stated& stated) {
  return stated.comm + " " + std::to_string(pid);
}

RamVerdict ProcessWitness::resident() const {
  std::vector<WitnessMember> members;
  for (const auto& [pid, stated] : stated_) {
    if (!stated.is_complete()) continue;
    const std::uint64_t ours = header_.page_size.kib(stated.rss_pages);
    VerdictKind kind = judged(ours, stated.rss_kib, 0);
    if (kind == VerdictKind::kDiffers && !stated.is_idle()) kind = VerdictKind::kUnknowable;
    members.push_back({name_of(pid, stated), kind, ours, stated.rss_kib});
  }
  return verdict_of_members("processes, resident", "smaps_rollup: Rss", kRan,
                            header_.page_size.kib(1), std::move(members));
}

RamVerdict ProcessWitness::proportional() const {
  const auto page_kib = static_cast<double>(header_.page_size.kib(1));
  std::vector<WitnessMember> members;
  for (const auto& [pid, stated] : stated_) {
    if (!stated.is_complete()) continue;
    const auto ours = static_cast<std::uint64_t>(stated.share.pages() * page_kib);
    VerdictKind kind = judged(ours, stated.pss_kib, kRounding);
    if (kind == VerdictKind::kDiffers && !(stated.is_idle() && stated.is_settled))
      kind = VerdictKind::kUnknowable;
    members.push_back({name_of(pid, stated), kind, ours, stated.pss_kib});
  }
  return verdict_of_members("processes, proportional", "smaps_rollup: Pss", kRan,
                            header_.page_size.kib(1), std::move(members));
}

}  // namespace physmem
