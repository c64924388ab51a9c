// SPDX-License-Identifier: MIT
#include "analyzer/shape/huge_page_findings.h"

#include <fmt/format.h>

#include <array>

#include "analyzer/model/frame_classes.h"
#include "analyzer/shape/view.h"

namespace physmem {
namespace {

using Found = std::optional<Finding>;

constexpr const char* kFolder = "/sys/kernel/mm/transparent_hugepage";

/// Faults since boot. With fewer, chance decides.
constexpr std::uint64_t kFewestFaults = 64;
/// Most requests fail.
constexpr double kMostFail = 0.5;

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

bool most_fail(const HugePageFacts& facts) {
  return facts.asked() >= kFewestFaults &&
         share_of(facts.of("vm.thp_fault_fallback"), facts.asked()) >= kMostFail;
}

std::string file_of_rule(const HugePageFacts& facts) {
  return facts.has_own_rule() ? fmt::format("{}/hugepages-{}kB/enabled", kFolder, facts.size_kib())
                              : fmt::format("{}/enabled", kFolder);
}

Found find_never(const HugePageFacts& facts, const PageBlocks&) {
  if (facts.rule() != HugePageRule::kNever) return {};
  return Finding{"thp-never", Certainty::kCertain,
                 "transparent huge pages are off (enabled: never)",
                 "echo madvise > " + file_of_rule(facts),
                 "memory that a program does not touch in each huge page that it asks for"};
}

/// Threshold: it is not that most of those that ask get none.
Found find_madvise(const HugePageFacts& facts, const PageBlocks&) {
  if (facts.rule() != HugePageRule::kMadvise || most_fail(facts)) return {};
  return Finding{
      "thp-madvise", Certainty::kLikely,
      fmt::format("transparent huge pages are for programs that ask (enabled: madvise): since boot "
                  "{} page faults asked for one, and {} got one",
                  facts.asked(), facts.of("vm.thp_fault_alloc")),
      "madvise(MADV_HUGEPAGE) in the program, or echo always > " + file_of_rule(facts),
      "with always: up to a huge page more for each area, and compaction when it is needed"};
}

/// Threshold: of kFewestFaults or more, the cgroup refused at least half.
Found find_charge(const HugePageFacts& facts, const PageBlocks&) {
  const std::uint64_t refused = facts.of("vm.thp_fault_fallback_charge");
  if (facts.asked() < kFewestFaults || share_of(refused, facts.asked()) < kMostFail) return {};
  return Finding{"thp-cgroup-limit", Certainty::kCertain,
                 fmt::format("cgroups are at their limit: {} of {} page faults that asked for one "
                             "were refused by memory.max",
                             refused, facts.asked()),
                 "raise memory.max of the cgroup (physmem cgroups shows them)",
                 "as much memory as it is raised by"};
}

/// "; in 312 of 1024 blocks only slab caches (dentry) are in the way".
std::string blockers_text(const PageBlocks& blocks) {
  const std::vector<Blocker> all = blocks.blockers();
  if (all.empty()) return "";
  std::uint64_t count = 0;
  for (const PageBlock& block : blocks.blocks()) count += block.count;
  const Blocker& first = all.front();
  return fmt::format("; in {} of {} blocks only {}{} are in the way", first.blocks, count,
                     facts_of(first.use).title,
                     first.owner.empty() ? "" : fmt::format(" ({})", first.owner));
}

/// Not the first 16 MiB of x86, which processes get last.
bool is_for_processes(const PageBlocks::ZoneFree& zone, const PageBlocks& blocks) {
  return zone.node && !(zone.zone == "DMA" && blocks.header().arch == "x86_64");
}

/// The zones that have RAM and no free block of the size of a huge page.
std::string zones_without_block(const PageBlocks& blocks) {
  std::string names;
  for (const PageBlocks::ZoneFree& zone : blocks.zones()) {
    if (!is_for_processes(zone, blocks) || zone.free.total() == 0 ||
        zone.free.of_at_least(blocks.order()) != 0)
      continue;
    names += (names.empty() ? "" : ", ") + zone.zone;
  }
  return names;
}

/// Threshold: no zone has a free block of the size, or most requests fail.
Found find_no_block(const HugePageFacts& facts, const PageBlocks& blocks) {
  if (!blocks.is_known() || !blocks.has_orders()) return {};
  FreeMemory free;
  for (const PageBlocks::ZoneFree& zone : blocks.zones())
    for (std::size_t order = 0; is_for_processes(zone, blocks) && order < FreeMemory::kOrders;
         ++order)
      free.pages[order] += zone.free.pages[order];
  const std::uint64_t failed = facts.of("vm.thp_fault_fallback");
  const bool has_failed = most_fail(facts);
  const std::string zones = zones_without_block(blocks);
  const bool has_none = free.of_at_least(blocks.order()) == 0;
  if (!has_none && (!has_failed || zones.empty())) return {};
  return Finding{"thp-fragmented", has_none ? Certainty::kCertain : Certainty::kLikely,
                 fmt::format("no free block is large enough in {}{}{}",
                             zones.empty() ? "any zone" : "zone " + zones, blockers_text(blocks),
                             has_failed ? fmt::format("; {} of {} page faults that asked for one "
                                                      "got small pages",
                                                      failed, facts.asked())
                                        : ""),
                 "echo 1 > /proc/sys/vm/compact_memory moves what can be moved, once",
                 "CPU time for as long as it runs; what cannot be moved stays"};
}

/// Threshold: at least half of kFewestFaults or more got small pages, and faults may not compact.
Found find_no_defrag(const HugePageFacts& facts, const PageBlocks&) {
  const std::uint64_t failed = facts.of("vm.thp_fault_fallback");
  const bool may_not = facts.has("thp.defrag") && facts.of("thp.defrag") == 0;
  if (!may_not || !most_fail(facts)) return {};
  return Finding{"thp-no-defrag", Certainty::kLikely,
                 fmt::format("page faults may not make room for them (defrag: never): {} of {} got "
                             "small pages",
                             failed, facts.asked()),
                 fmt::format("echo madvise > {}/defrag", kFolder),
                 "page faults of programs that ask wait while memory is moved"};
}

constexpr std::array kRules{find_never, find_madvise, find_charge, find_no_block, find_no_defrag};

}  // namespace

std::vector<Finding> findings_of_huge_pages(const HugePageFacts& facts, const PageBlocks& blocks) {
  std::vector<Finding> found;
  if (!facts.is_known() || !facts.is_rare()) return found;
  for (const auto& find : kRules)
    if (Found one = find(facts, blocks)) found.push_back(std::move(*one));
  return found;
}

std::vector<std::string> huge_page_lines(const HugePageFacts& facts, const PageBlocks& blocks) {
  if (!facts.is_known()) return {};
  const PageSize kib{1024};
  const std::string anonymous = human_size(facts.anonymous_kib(), kib);
  if (facts.is_little())
    return {fmt::format("Huge pages: too little anonymous memory ({}) to judge", anonymous)};
  const std::string share =
      fmt::format("{} of {} of anonymous memory", human_size(facts.huge_kib(), kib), anonymous);
  const std::vector<Finding> findings = findings_of_huge_pages(facts, blocks);
  if (!facts.is_rare()) return {"Huge pages: " + share};
  const char* const unexplained =
      findings.empty() ? "; no rule and no counter of the kernel says why" : "";
  return finding_lines(fmt::format("Huge pages are rare ({}){}", share, unexplained), findings);
}

}  // namespace physmem
