// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/memory_uses.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analyzer/analyze/numbered_counter.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

MemoryUse use_of(const Area& area) {
  return {.unique = area.tally.unique(),
          .share = area.tally.share(),
          .resident = area.tally.resident(),
          .slots = area.tally.slots,
          .in_unknown_slots = area.tally.swapped - area.tally.slots.entries(),
          .virtual_pages = area.virtual_pages,
          .is_share_known = !area.tally.has_unlisted};
}

constexpr const char* kAnonymous = "[anon]";

std::string unit_of(const Area& area) {
  return area.marks.unit.empty() ? kAnonymous : area.marks.unit.text();
}

/// What is known of one process, or of one file.
KnownProcesses known_of(const MemoryUse& use) {
  return {.has_unique = use.is_unique_known && use.resident != 0,
          .has_share = use.is_share_known && use.resident != 0,
          .without_unique = use.is_unique_known ? 0U : 1U,
          .without_share = use.is_share_known ? 0U : 1U};
}

/// Without `huge`, which depends on neighbouring runs.
FlaggedPages flagged(std::span<const PageRun> runs) {
  constexpr std::uint64_t kNoMemory = PM_PAGE_ZERO_PAGE | PM_PAGE_NOPAGE;
  FlaggedPages pages;
  for (const PageRun& run : runs) {
    const auto has = [&run](std::uint64_t flag) { return (run.flags & flag) != 0; };
    if (has(kNoMemory)) continue;
    if (has(PM_PAGE_HUGE)) {
      pages.hugetlb += run.pages;
      continue;
    }
    if (has(PM_PAGE_UNEVICTABLE)) pages.locked += run.pages;
    if (!has(PM_PAGE_SWAPBACKED) && !has(PM_PAGE_ANON) && has(PM_PAGE_DIRTY | PM_PAGE_WRITEBACK))
      pages.dirty += run.pages;
    if (has(PM_PAGE_ANON)) pages.anonymous += run.pages;
    if (has(PM_PAGE_ANON) && !has(PM_PAGE_SWAPBACKED)) pages.lazily_freed += run.pages;
    if (!has(PM_PAGE_ANON) && has(PM_PAGE_SWAPBACKED)) pages.shared_memory += run.pages;
    if (has(PM_PAGE_KSM)) pages.merged += run.pages;
  }
  return pages;
}

}  // namespace

FlaggedPages& FlaggedPages::operator+=(const FlaggedPages& other) {
  anonymous += other.anonymous;
  shared_memory += other.shared_memory;
  lazily_freed += other.lazily_freed;
  hugetlb += other.hugetlb;
  merged += other.merged;
  huge += other.huge;
  locked += other.locked;
  dirty += other.dirty;
  return *this;
}

MemoryUse use_of(const Process& process) {
  MemoryUse use;
  for (const Area& area : process.areas) use += use_of(area);
  return use;
}

std::optional<MemoryUse> use_of(const Process& process, const ProcessSizeCounters& all_sizes,
                                PageSize page_size) {
  const ProcessSizes sizes = all_sizes.of(process.pid());
  if (!sizes.rss) return process.areas.empty() ? std::nullopt : std::optional(use_of(process));
  const auto pages = [page_size](std::optional<std::uint64_t> kib) {
    return kib.value_or(0) * 1024 / page_size.bytes;
  };
  return MemoryUse{.unique = pages(sizes.uss),
                   .share = PageShare{pages(sizes.pss) << PageShare::kShift},
                   .resident = pages(sizes.rss),
                   .in_unknown_slots = pages(sizes.swap),
                   .is_unique_known = sizes.uss.has_value(),
                   .is_share_known = sizes.pss.has_value()};
}

MemoryUse& MemoryUse::operator+=(const MemoryUse& other) {
  unique += other.unique;
  share += other.share;
  resident += other.resident;
  slots += other.slots;
  in_unknown_slots += other.in_unknown_slots;
  virtual_pages += other.virtual_pages;
  flagged += other.flagged;
  is_unique_known = is_unique_known && other.is_unique_known;
  is_share_known = is_share_known && other.is_share_known;
  return *this;
}

void MemoryUseRow::add(const MemoryUseRow& other) {
  MemoryUse part = other.use;
  if (!other.has_unique()) part.unique = 0;
  if (!other.has_share()) part.share = {};
  use += part;
  known.has_unique = known.has_unique || other.known.has_unique;
  known.has_share = known.has_share || other.known.has_share;
  known.without_unique += other.known.without_unique;
  known.without_share += other.known.without_share;
  const bool has_both = page_tables_kib && other.page_tables_kib;
  if (processes == 0)
    page_tables_kib = other.page_tables_kib;
  else
    page_tables_kib =
        has_both ? std::optional(*page_tables_kib + *other.page_tables_kib) : std::nullopt;
  processes += other.processes;
  threads += other.threads;
}

bool fits_unit(const Area& area, std::span<const NamePattern> patterns) {
  const std::string unit = unit_of(area);
  const std::string file = unit.substr(unit.rfind('/') + 1);
  const std::string label = unit_label(unit, area.marks.key(), false);
  return std::any_of(patterns.begin(), patterns.end(), [&](const auto& pattern) {
    return pattern.matches(unit) || pattern.matches(file) || pattern.matches(label);
  });
}

bool MemoryUses::is_asked(const Area& area) const {
  return units_.empty() || fits_unit(area, units_);
}

void MemoryUses::on_header(const Header& header) {
  processes_.clear();
  numbers_.clear();
  groups_.clear();
  sharing_.clear();
  group_of_.clear();
  files_.clear();
  names_ = {};
  header_ = header;
  knows_merged_ = header.has_pages && header.stable_flags;
  huge_pages_.begin(header);
  counted_ = {};
  sizes_.clear();
  page_tables_kib_.clear();
}

void MemoryUses::on_counters(std::span<const Counter> counters) {
  sizes_.add(counters);
  for (const Counter& counter : counters) {
    if (counter.name == "note.ksm_unknown" && counter.value != 0) knows_merged_ = false;
    if (const auto part = process_counter(counter.name); part && part->name == "page_tables_kB")
      page_tables_kib_[part->number] = counter.value;
  }
}

void MemoryUses::on_task(const Task& task) {
  numbers_.on_task(task);
}

void MemoryUses::on_pages(const Process&, const Area& area, std::span<const PageRun> runs) {
  if (is_of_groups() && (!counts_only_units_ || is_asked(area))) share(runs);
  if (!counts_pages_) return;
  FlaggedPages found = flagged(runs);
  found.huge = huge_pages_.add(runs).pages();
  if (grouping_ != UseGrouping::kUnit && (!counts_only_units_ || is_asked(area))) counted_ += found;
  if (grouping_ == UseGrouping::kUnit && found != FlaggedPages() && is_asked(area))
    files_[area.marks.key()].use.flagged += found;
}

/// Nothing: not known.
std::optional<MemoryUse> MemoryUses::asked_use(const Process& process) const {
  if (!counts_only_units_) return use_of(process, sizes_, header_.page_size);
  if (process.areas.empty()) return std::nullopt;
  MemoryUse use;
  for (const Area& area : process.areas)
    if (is_asked(area)) use += use_of(area);
  return use;
}

/// Frames of the process that is read. Special ones are not in USS.
void MemoryUses::share(std::span<const PageRun> runs) {
  if (!has_mapping_counts()) return;
  const PageKinds kinds = kinds_of(header_);
  const auto process = static_cast<std::uint32_t>(group_of_.size());
  for_each_asked_ahead(
      runs, [&](const PageRun& run) { sharing_.prefetch(header_.frame(run.value)); },
      [&](const PageRun& run) {
        if (run.count > 1 && (run.flags & kinds.special) == 0) sharing_.add(header_, run, process);
      });
}

bool MemoryUses::has_mapping_counts() const {
  return header_.has_pages && header_.count == Header::Count::kMapcount && !header_.pfn_hidden;
}

bool MemoryUses::has_all_frames(const Process& process) const {
  return has_mapping_counts() && !process.areas.empty() && !sizes_.of(process.pid()).rss &&
         std::none_of(process.areas.begin(), process.areas.end(),
                      [](const Area& area) { return area.tally.has_unlisted; });
}

void MemoryUses::on_process(const Process& process) {
  if (grouping_ == UseGrouping::kUnit) return add_units(process);
  if (is_of_groups()) group_of_.push_back(kNoGroup);
  const FlaggedPages counted = std::exchange(counted_, {});
  const std::optional<MemoryUse> use = asked_use(process);
  if (!use) return;
  const auto maps = [this](const Area& area) { return is_asked(area); };
  if (!units_.empty() && std::none_of(process.areas.begin(), process.areas.end(), maps)) return;
  MemoryUseRow row;
  row.name = process.task.comm;
  row.pid = process.pid();
  if (process.task.identity) row.uid = process.task.identity->uid;
  row.cgroup = cgroup_of(process);
  row.processes = 1;
  row.threads = process.threads;
  row.use = *use;
  row.use.flagged = counted;
  row.known = known_of(row.use);
  row.program = program_path(process);
  if (const auto found = page_tables_kib_.find(row.pid); found != page_tables_kib_.end())
    row.page_tables_kib = found->second;
  if (grouping_ == UseGrouping::kProcess) return processes_.push_back(std::move(row));
  // `sharing_` has repeated ones, too.
  if (has_mapping_counts() && !sizes_.of(process.pid()).rss)
    for (const Area& area : process.areas)
      if (!counts_only_units_ || is_asked(area))
        row.use.unique -= area.tally.unique() - area.tally.single();
  group_of_.back() = numbers_.add(process);
  groups_.resize(numbers_.numbers().size());
  Group& sum = groups_[group_of_.back()];
  sum.row.uid = row.uid;
  if (grouping_ == UseGrouping::kTree) sum.row.pid = row.pid;
  sum.row.add(row);
  sum.has_all_frames = sum.has_all_frames && has_all_frames(process);
}

/// A group of kTree has one process so far.
void MemoryUses::join_trees() {
  const std::vector<std::uint32_t> joined = numbers_.join_trees();
  const std::vector<Group> single = std::exchange(groups_, {});
  groups_.resize(numbers_.numbers().size());
  for (const auto& [key, number] : numbers_.numbers()) {
    groups_[number].row.pid = key.second;
    groups_[number].row.name = numbers_.name_of(key.second);
  }
  for (std::size_t i = 0; i < single.size(); ++i) {
    Group& sum = groups_[joined[i]];
    sum.row.add(single[i].row);
    if (single[i].row.pid == sum.row.pid) sum.row.uid = single[i].row.uid;
    sum.has_all_frames = sum.has_all_frames && single[i].has_all_frames;
  }
  for (std::uint32_t& number : group_of_)
    if (number != kNoGroup) number = joined[number];
}

/// Adds frames with several mappings.
void MemoryUses::on_end() {
  if (grouping_ == UseGrouping::kTree) join_trees();
  std::replace(group_of_.begin(), group_of_.end(), kNoGroup,
               static_cast<std::uint32_t>(groups_.size()));
  const std::vector<std::uint64_t> shared =
      frames_in_one_group(sharing_, group_of_, groups_.size() + 1);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    MemoryUseRow& row = groups_[i].row;
    row.use.unique += shared[i];
    if (row.processes == 1 || groups_[i].has_all_frames) continue;
    row.use.is_unique_known = false;
    row.known.has_unique = false;
    row.known.without_unique = row.processes;
  }
}

void MemoryUses::add_units(const Process& process) {
  std::set<UnitKey> mapped;
  for (const Area& area : process.areas) {
    names_.add(area.marks);
    if (!is_asked(area)) continue;
    MemoryUseRow& sum = files_[area.marks.key()];
    sum.use += use_of(area);
    if (mapped.insert(area.marks.key()).second) ++sum.processes;
  }
}

/// By name.
std::vector<MemoryUseRow> MemoryUses::unit_rows() const {
  std::vector<MemoryUseRow> rows;
  for (const auto& [key, row] : files_) {
    rows.push_back(row);
    rows.back().name = names_.label(key);
    if (rows.back().name.empty()) rows.back().name = kAnonymous;
    rows.back().known = known_of(row.use);
  }
  std::ranges::sort(rows, {}, &MemoryUseRow::name);
  return rows;
}

std::vector<MemoryUseRow> MemoryUses::rows() const {
  if (grouping_ == UseGrouping::kUnit) return unit_rows();
  std::vector<MemoryUseRow> rows = processes_;
  for (const auto& [key, number] : numbers_.numbers()) {
    rows.push_back(groups_[number].row);
    if (grouping_ == UseGrouping::kTree) continue;
    (grouping_ == UseGrouping::kCgroup ? rows.back().cgroup : rows.back().name) = key.first;
  }
  return rows;
}

MemoryUse MemoryUses::total() const {
  MemoryUse total;
  for (const MemoryUseRow& row : processes_) total += row.use;
  for (const Group& group : groups_) total += group.row.use;
  for (const auto& [key, row] : files_) total += row.use;
  return total;
}

}  // namespace physmem
