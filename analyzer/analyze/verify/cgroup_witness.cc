// SPDX-License-Identifier: MIT
#include "analyzer/analyze/verify/cgroup_witness.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "analyzer/analyze/numbered_counter.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

constexpr std::array<std::string_view, 4> kPartNames{"anon", "file", "shmem", "page_tables"};
/// mm/memcontrol.c: MEMCG_CHARGE_BATCH. From Linux 6.8 on (7d7ef0a4686a) a reader of memory.stat
/// adds up the CPUs' counts only if more than this changed on each.
constexpr std::uint64_t kBatch = 64;
constexpr std::string_view kRule = "CPUs add their counts in batches of 64 pages";
constexpr std::string_view kReason = "they came or went, or a deleted group is below them";
constexpr std::string_view kBefore = "before.", kAfter = "after.";
constexpr std::uint64_t kMaxCpus = std::uint64_t{1} << 20;

}  // namespace

void CgroupWitness::on_header(const Header& header) {
  *this = {};
  header_ = header;
}

void CgroupWitness::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) on_counter(counter);
}

void CgroupWitness::on_counter(const Counter& counter) {
  if (counter.name == "ram.processors") cpus_ = std::min(counter.value, kMaxCpus);
  const auto of_group = cgroup_counter(counter.name);
  if (!of_group) return;
  std::string_view name = of_group->name;
  if (name == "parent") parents_[of_group->number] = counter.value;
  const bool is_before = name.starts_with(kBefore);
  if (!is_before && !name.starts_with(kAfter)) return;
  name.remove_prefix(is_before ? kBefore.size() : kAfter.size());
  const auto part = static_cast<std::size_t>(std::find(kPartNames.begin(), kPartNames.end(), name) -
                                             kPartNames.begin());
  if (part == kParts && name != "activity") return;
  Stated& stated = stated_[of_group->number];
  Reading& reading = is_before ? stated.before : stated.after;
  if (part == kParts)
    reading.activity = counter.value;
  else
    reading.pages[part] = std::min(counter.value, kMaxCounter);
}

void CgroupWitness::on_owner(const RamOwner& owner) {
  if (owner.kind != RamOwner::Kind::kCgroup) return;
  groups_.emplace(owner.id, Group{owner.number, owner.name});
  if (!knows(owner.number)) return;
  numbers_.emplace(owner.name, owner.number);
  paths_.emplace(owner.number, owner.name);
}

/// As the kernel counts: mapped anonymous memory, and the page cache without the swap cache.
void CgroupWitness::on_ram(const RamRun& run) {
  if (run.cgroup == 0) return;
  Pages& paid = paid_[run.cgroup];
  const bool is_in_swap_cache = (run.flags & PM_PAGE_SWAPCACHE) != 0;
  if (run.use == PM_RAM_ANON && run.count != 0) paid[kAnon] += run.pages;
  if (run.use == PM_RAM_FILE || run.use == PM_RAM_BLOCK) paid[kFile] += run.pages;
  if (run.use == PM_RAM_SHMEM && !is_in_swap_cache) {
    paid[kFile] += run.pages;
    paid[kShmem] += run.pages;
  }
  if ((run.flags & PM_PAGE_PGTABLE) != 0) paid[kPageTables] += run.pages;
}

std::uint64_t CgroupWitness::parent_of(std::uint64_t group) const {
  const auto found = parents_.find(group);
  return found == parents_.end() ? 0 : found->second;
}

CgroupWitness::Home CgroupWitness::home_of(const Group& group) const {
  if (knows(group.number)) return {group.number, true};
  bool is_certain = true;
  for (std::string path = group.path; path.size() > 1; is_certain = false) {
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
    if (const auto found = numbers_.find(path); found != numbers_.end())
      return {found->second, is_certain};
  }
  return {0, group.path.rfind('/') == 0};
}

CgroupWitness::Sums CgroupWitness::sum_up() const {
  Sums sums;
  for (const auto& [id, paid] : paid_) {
    const auto payer = groups_.find(id);
    Home home = payer == groups_.end() ? Home{} : home_of(payer->second);
    // A malformed file may have a circle of parents.
    const std::size_t most = stated_.size() + parents_.size();
    for (std::size_t depth = 0; knows(home.group) && depth < most; ++depth) {
      for (std::size_t part = 0; part < kParts; ++part) sums.of[home.group][part] += paid[part];
      home.group = parent_of(home.group);
    }
    for (std::size_t part = 0; part < kParts && !home.is_certain; ++part)
      sums.uncertain[part] += paid[part];
  }
  return sums;
}

WitnessMember CgroupWitness::member_of(std::uint64_t group, std::size_t part, const Sums& sums,
                                       Motion motion) const {
  const PageSize size = header_.page_size;
  const Stated& stated = stated_.at(group);
  const auto found = sums.of.find(group);
  const auto path = paths_.find(group);
  WitnessMember member;
  member.name = (path == paths_.end() ? "group " + std::to_string(group) : path->second) + ": " +
                std::string(kPartNames[part]);
  member.is_part = part == kShmem || stated_.contains(parent_of(group));
  if (!stated.before.pages[part] || !stated.after.pages[part]) return member;
  const RamTotal theirs = stated.total(part);
  const std::uint64_t ours = found == sums.of.end() ? 0 : found->second[part];
  member.theirs_kib = {size.kib(theirs.before), size.kib(theirs.after)};
  member.ours_kib = size.kib(ours);
  member.kind = judged(ours, theirs, kBatch * cpus_,
                       motion.migrated + (stated.may_have_run(part) ? motion.churn : 0));
  if (member.kind == VerdictKind::kDiffers && path == paths_.end() && sums.uncertain[part] != 0)
    member.kind = VerdictKind::kUnknowable;
  return member;
}

RamVerdict CgroupWitness::verdict(Motion motion) const {
  const Sums sums = sum_up();
  std::vector<WitnessMember> members;
  for (const auto& [group, stated] : stated_)
    for (std::size_t part = 0; part < kParts; ++part)
      if (stated.before.pages[part] || stated.after.pages[part])
        members.push_back(member_of(group, part, sums, motion));
  RamVerdict verdict{"cgroups", "memory.stat"};
  verdict.tolerance = kBatch * cpus_;
  verdict.rule = kRule;
  verdict.reason = kReason;
  add_members(verdict, header_.page_size.kib(1), std::move(members));
  return verdict;
}

}  // namespace physmem
