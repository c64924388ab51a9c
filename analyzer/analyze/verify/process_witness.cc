// SPDX-License-Identifier: MIT
#include "analyzer/analyze/verify/process_witness.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "analyzer/analyze/numbered_counter.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

constexpr std::string_view kRan = "processes ran or ended while they were read";
constexpr std::string_view kNoCounts = "counts are not those of mappings";
/// fs/proc/task_mmu.c: smaps_account() shifts the size of a huge page by PSS_SHIFT (12) in an
/// unsigned long, so its share is 0 there.
constexpr std::string_view k32Bit = "smaps of a 32-bit kernel leaves huge pages out of Pss";

/// The two parts that the kernel rounds to a kB: its number and ours.
constexpr std::uint64_t kRounding = 1;

bool is_64_bit(std::string_view arch) {
  return arch.find("64") != std::string_view::npos || arch == "s390x" || arch == "alpha";
}

}  // namespace

void ProcessWitness::on_header(const Header& header) {
  *this = {};
  header_ = header;
}

void ProcessWitness::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) {
    const auto part = process_counter(counter.name);
    if (!part) continue;
    const std::uint64_t value = std::min(counter.value, kMaxCounter);
    const auto found = stated_.find(part->number);
    if (part->name == "poisoned" && found != stated_.end()) found->second.poisoned = value;
    if (part->name == "migrating" && found != stated_.end()) found->second.migrating = value;
    if (Number* const number = number_of(part->number, part->name)) *number = value;
  }
}

/// The place of "before.NAME" or "after.NAME"; null: not used here.
ProcessWitness::Number* ProcessWitness::number_of(std::uint64_t pid, std::string_view name) {
  const bool is_before = name.starts_with("before.");
  if (!is_before && !name.starts_with("after.")) return nullptr;
  const std::string_view what = name.substr(name.rfind('.') + 1);
  Reading& reading = is_before ? stated_[pid].before : stated_[pid].after;
  return what == "rss_kB"       ? &reading.rss_kib
         : what == "pss_kB"     ? &reading.pss_kib
         : what == "faults"     ? &reading.faults
         : what == "tasks"      ? &reading.tasks
         : what == "newest"     ? &reading.newest
         : what == "all_faults" ? &reading.all_faults
                                : nullptr;
}

void ProcessWitness::on_task(const Task& task) {
  const auto found = stated_.find(task.pid);
  if (found == stated_.end()) return;
  found->second.comm = task.comm;
  found->second.is_listed = true;
}

void ProcessWitness::on_pages(const Process& process, const Area& /*area*/,
                              std::span<const PageRun> runs) {
  const auto found = stated_.find(process.pid());
  if (found == stated_.end()) return;
  for (const PageRun& run : runs)
    if ((run.flags & PM_PAGE_THP) != 0) found->second.has_thp = true;
}

void ProcessWitness::on_process(const Process& process) {
  const auto found = stated_.find(process.pid());
  if (found == stated_.end() || process.areas.empty()) return;
  Stated& stated = found->second;
  stated.rss_pages = 0;
  stated.share = {};
  for (const Area& area : process.areas) {
    stated.rss_pages += area.tally.resident();
    stated.share += area.tally.share();
  }
}

/// smaps has those that were being moved if it was read then, and the broken ones since April 2024,
/// in stable kernels as well (is_pfn_swap_entry() in include/linux/swapops.h).
VerdictKind ProcessWitness::judge(std::uint64_t ours_kib, const RamTotal& theirs_kib,
                                  std::uint64_t rounding_kib, const Stated& stated) const {
  const std::uint64_t ours = ours_kib + header_.page_size.kib(stated.poisoned);
  const VerdictKind without = judged(ours_kib, theirs_kib, rounding_kib);
  const VerdictKind kind =
      without == VerdictKind::kDiffers ? judged(ours, theirs_kib, rounding_kib) : without;
  if (kind != VerdictKind::kDiffers || ours > theirs_kib.high()) return kind;
  return ours + header_.page_size.kib(stated.migrating) + rounding_kib >= theirs_kib.low()
             ? VerdictKind::kMoved
             : kind;
}

/// Names the first process that has lost pages.
std::string ProcessWitness::poisoned_note() const {
  std::string note;
  std::size_t others = 0;
  for (const auto& [pid, stated] : stated_) {
    if (!stated.is_listed || stated.poisoned == 0) continue;
    if (note.empty())
      note = stated.comm + " " + std::to_string(pid) + " lost " + std::to_string(stated.poisoned) +
             (stated.poisoned == 1 ? " page" : " pages") + " to memory errors";
    else
      ++others;
  }
  if (others != 0) note += ", so did " + std::to_string(others) + " more";
  return note.empty() ? note : note + "; smaps may count them";
}

/// A process that ended has one reading only.
RamVerdict ProcessWitness::resident() const {
  std::vector<WitnessMember> members;
  for (const auto& [pid, stated] : stated_) {
    if (!stated.is_listed) continue;
    WitnessMember& member = members.emplace_back();
    member.name = stated.comm + " " + std::to_string(pid);
    if (!stated.is_complete()) continue;
    member.ours_kib = header_.page_size.kib(stated.rss_pages);
    member.theirs_kib = {*stated.before.rss_kib, *stated.after.rss_kib};
    member.kind = judge(member.ours_kib, member.theirs_kib, 0, stated);
    if (member.kind == VerdictKind::kDiffers && !stated.kept_memory())
      member.kind = VerdictKind::kUnknowable;
  }
  RamVerdict verdict{"processes, resident", "smaps_rollup: Rss"};
  verdict.reason = kRan;
  verdict.note = poisoned_note();
  add_members(verdict, header_.page_size.kib(1), std::move(members));
  return verdict;
}

RamVerdict ProcessWitness::proportional() const {
  const auto page_kib = static_cast<double>(header_.page_size.kib(1));
  const bool counts_mappings = header_.has_pages && header_.count == Header::Count::kMapcount;
  RamVerdict verdict{"processes, proportional", "smaps_rollup: Pss"};
  verdict.rule = "the kernel rounds to 1 kB";
  verdict.reason = counts_mappings ? kRan : kNoCounts;
  std::vector<WitnessMember> members;
  for (const auto& [pid, stated] : stated_) {
    if (!stated.is_listed) continue;
    WitnessMember& member = members.emplace_back();
    member.name = stated.comm + " " + std::to_string(pid);
    if (!stated.is_complete()) continue;
    member.ours_kib = static_cast<std::uint64_t>(stated.share.pages() * page_kib);
    member.theirs_kib = {*stated.before.pss_kib, *stated.after.pss_kib};
    member.kind = judge(member.ours_kib, member.theirs_kib, kRounding, stated);
    if (member.kind != VerdictKind::kDiffers) continue;
    const bool is_overflow = stated.has_thp && !is_64_bit(header_.arch);
    if (is_overflow) verdict.reason = k32Bit;
    if (is_overflow || !counts_mappings || !stated.kept_shares())
      member.kind = VerdictKind::kUnknowable;
  }
  add_members(verdict, header_.page_size.kib(1), std::move(members));
  return verdict;
}

}  // namespace physmem
