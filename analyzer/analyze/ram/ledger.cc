// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/ledger.h"

#include <algorithm>
#include <numeric>

#include "analyzer/model/frame_classes.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

/// Counters that the ledger uses.
bool is_kept(std::string_view name) {
  return name.starts_with("ram.") || name.starts_with("slab.") || name.starts_with("vmalloc.") ||
         (name.starts_with("node.") && name.ends_with(".tier"));
}

/// Memory that the allocator never had.
constexpr std::array kBootClasses{PM_RAM_RESERVED, PM_RAM_KERNEL_CODE, PM_RAM_KERNEL_DATA,
                                  PM_RAM_CRASH_KERNEL, PM_RAM_MEMMAP};

/// Joins spans that overlap or touch: zones of several nodes may be interleaved.
std::vector<std::pair<std::uint64_t, std::uint64_t>> joined_spans(const std::vector<Zone>& zones) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;
  for (const Zone& zone : zones)
    if (zone.spanned <= kMaxFrames && zone.first_pfn <= kMaxFrames)
      spans.emplace_back(zone.first_pfn, zone.first_pfn + zone.spanned);
  std::sort(spans.begin(), spans.end());
  std::vector<std::pair<std::uint64_t, std::uint64_t>> joined;
  for (const auto& [begin, end] : spans) {
    if (joined.empty() || begin > joined.back().second)
      joined.emplace_back(begin, end);
    else
      joined.back().second = std::max(joined.back().second, end);
  }
  return joined;
}

}  // namespace

void Ledger::on_header(const Header& header) {
  *this = {};
  header_ = header;
}

void Ledger::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters)
    if (is_kept(counter.name))
      counters_.insert_or_assign(std::string(counter.name), std::min(counter.value, kMaxCounter));
}

void Ledger::on_zone(const Zone& zone) {
  zones_.push_back(zone);
}

void Ledger::on_task(const Task& task) {
  directory_.on_task(task);
}

void Ledger::on_owner(const RamOwner& owner) {
  owners_.push_back({directory_.add(owner)});
}

std::size_t Ledger::row_of(std::uint64_t id) const {
  return directory_.find(id).value_or(owners_.size());
}

const RamOwner* Ledger::find_owner(std::uint64_t id) const {
  const auto row = directory_.find(id);
  return row ? &owners_[*row].owner : nullptr;
}

/// Runs and spans both ascend.
std::uint64_t Ledger::covered_by(const RamRun& run) {
  std::uint64_t frames = 0;
  const std::uint64_t end = run.first_pfn + run.pages;
  while (span_ < spans_.size() && spans_[span_].second <= run.first_pfn) ++span_;
  for (std::size_t i = span_; i < spans_.size() && spans_[i].first < end; ++i)
    frames += std::min(end, spans_[i].second) - std::max(run.first_pfn, spans_[i].first);
  return frames;
}

void Ledger::on_ram(const RamRun& run) {
  if (spans_.empty()) spans_ = joined_spans(zones_);
  has_runs_ = true;
  classes_[run.use] += run.pages;
  covered_ += covered_by(run);
  if ((run.flags & PM_PAGE_SWAPCACHE) != 0) swap_cached_[run.use] += run.pages;
  if (run.use == PM_RAM_PGTABLE && (run.flags & PM_PAGE_PGTABLE) != 0) typed_tables_ += run.pages;
  if (run.use == PM_RAM_FREE)
    free_of_[std::min<std::uint64_t>(run.place, kUnknownOrder)] += run.pages;
  if (run.use == PM_RAM_ANON && run.count != 0) mapped_anon_ += run.pages;
  for (const std::uint64_t id : {run.owner, run.cgroup}) {
    const auto index = directory_.find(id);
    if (!index) continue;
    OwnerRow& row = owners_[*index];
    row.pages += run.pages;
    row.mapped += run.count != 0 ? run.pages : 0;
    row.dirty += (run.flags & PM_PAGE_DIRTY) != 0 ? run.pages : 0;
    row.active += (run.flags & PM_PAGE_ACTIVE) != 0 ? run.pages : 0;
  }
  if (run.owner != 0) owned_[run.use] += run.pages;
}

std::uint64_t Ledger::frames() const {
  std::uint64_t frames = 0;
  for (const FrameClassFacts& facts : kFrameClassTable)
    if (is_ram(facts.use)) frames += classes_[facts.use];
  return frames;
}

std::uint64_t Ledger::owned() const {
  return std::accumulate(owned_.begin(), owned_.end(), std::uint64_t{0});
}

std::uint64_t Ledger::spanned() const {
  std::uint64_t frames = 0;
  for (const auto& [begin, end] : joined_spans(zones_)) frames += end - begin;
  return frames;
}

std::optional<std::uint64_t> Ledger::counter(std::string_view name) const {
  const auto found = counters_.find(name);
  return found == counters_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<RamTotal> Ledger::total(std::string_view name) const {
  const auto reading = [&](std::string_view when) {
    return counter(std::string(when) + std::string(name));
  };
  const auto before = reading("ram.before."), after = reading("ram.after.");
  if (!before || !after) return std::nullopt;
  RamTotal total{*before, *after};
  if (const auto mean = reading("ram.mean."))
    total.samples = {*mean, reading("ram.low.").value_or(*mean),
                     reading("ram.high.").value_or(*mean)};
  return total;
}

std::uint64_t Ledger::cpus() const {
  return counter("ram.processors").value_or(0);
}

std::uint64_t Ledger::swing(std::string_view name) const {
  const RamTotal total = this->total(name).value_or(RamTotal{});
  return total.high() - total.low();
}

std::uint64_t Ledger::churn() const {
  return std::min(swing("allocated"), swing("freed"));
}

std::uint64_t Ledger::motion_of(const RamTotal& total) const {
  const bool stood_still = total.samples && !total.has_moved();
  return migrated() + (stood_still ? counter("ram.between_readings").value_or(0) : churn());
}

std::vector<std::pair<std::string, std::uint64_t>> Ledger::counters_of(
    std::string_view prefix) const {
  const std::string front = std::string(prefix) + ".";
  std::vector<std::pair<std::string, std::uint64_t>> found;
  for (auto at = counters_.lower_bound(front);
       at != counters_.end() && at->first.starts_with(front); ++at)
    found.emplace_back(at->first.substr(front.size()), at->second);
  return found;
}

std::uint64_t Ledger::sum_of(std::string_view prefix) const {
  std::uint64_t sum = 0;
  for (const auto& [name, value] : counters_of(prefix)) sum += value;
  return sum;
}

/// Pages of the total that no frame of these classes accounts for.
std::uint64_t Ledger::missing(std::string_view name,
                              std::initializer_list<FrameClass> classes) const {
  const std::uint64_t pages = total(name).value_or(RamTotal{}).mean();
  std::uint64_t marked = 0;
  for (const FrameClass use : classes) marked += classes_[use];
  return pages > marked ? pages - marked : 0;
}

/// The total, unless frames of its class are marked: then its change while they were read is no
/// explanation of unmarked ones. The ways that read the kernel's lists mark all of them; what the
/// total has more is reserved memory (the first chunk of per-CPU data).
std::uint64_t Ledger::hidden(std::string_view name, FrameClass use) const {
  if (header_.ram_by == "kcore" || header_.ram_by == "crash") return 0;
  return classes_[use] == 0 ? missing(name, {}) : 0;
}

/// Present memory that is not in MemTotal and has no mark: with deferred initialisation of struct
/// pages, most of the kernel's own tables.
std::uint64_t Ledger::boot_memory() const {
  const auto managed = total("total");
  std::uint64_t present = 0;
  for (const Zone& zone : zones_) present += zone.present;
  std::uint64_t marked = managed ? managed->mean() : present;
  for (const FrameClass use : kBootClasses) marked += classes_[use];
  return present > marked ? present - marked : 0;
}

/// A hypervisor's kernel may give memory to zones only when it is needed.
std::uint64_t Ledger::free_in_no_zone() const {
  const auto free = total("free");
  const auto in_zones = total("free_in_zones");
  if (!free || !in_zones || free->mean() <= in_zones->mean()) return 0;
  return free->mean() - in_zones->mean();
}

/// With zbud, the default of Debian 12, pages of zswap have no mark. With zsmalloc they are in
/// nr_zspages, together with zram's.
std::uint64_t Ledger::zswap_without_zsmalloc() const {
  const std::uint64_t marked = total("zsmalloc").value_or(RamTotal{}).mean();
  const std::uint64_t pages = total("zswap").value_or(RamTotal{}).mean();
  return pages > marked ? pages - marked : 0;
}

std::vector<ExplainedPages> Ledger::explained() const {
  // Stacks are a part of vmalloc on most machines.
  const std::uint64_t stacks = missing("kernel_stack", {PM_RAM_KERNEL_STACK});
  const bool stacks_are_vmalloc = counters_.contains("vmalloc.kernel_stack");
  const std::uint64_t vmalloc =
      missing("vmalloc", {PM_RAM_VMALLOC, PM_RAM_MODULE, PM_RAM_KERNEL_STACK});
  std::vector<ExplainedPages> parts{
      {"free_no_zone", free_in_no_zone()},
      {word_of(PM_RAM_FREE_PERCPU), hidden("free_percpu", PM_RAM_FREE_PERCPU)},
      {"boot", boot_memory()},
      {word_of(PM_RAM_LARGE_KMALLOC), missing("slab", {PM_RAM_SLAB, PM_RAM_LARGE_KMALLOC})},
      {word_of(PM_RAM_KERNEL_STACK), stacks},
      {word_of(PM_RAM_VMALLOC), vmalloc - (stacks_are_vmalloc ? std::min(stacks, vmalloc) : 0)},
      {word_of(PM_RAM_PERCPU), hidden("percpu", PM_RAM_PERCPU)},  // with the reserved first chunk
      {word_of(PM_RAM_PGTABLE), missing("page_tables", {PM_RAM_PGTABLE})},
      {word_of(PM_RAM_ZSMALLOC), hidden("zsmalloc", PM_RAM_ZSMALLOC)},
      {"zswap", zswap_without_zsmalloc()}};
  std::erase_if(parts, [](const ExplainedPages& part) { return part.pages == 0; });
  return parts;
}

std::vector<ExplainedPages> Ledger::explained_unmarked() const {
  std::uint64_t left = classes_[PM_RAM_UNMARKED];
  std::vector<ExplainedPages> parts = explained();
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.pages < b.pages; });
  for (ExplainedPages& part : parts) {
    part.pages = std::min(part.pages, left);
    left -= part.pages;
  }
  std::erase_if(parts, [](const ExplainedPages& part) { return part.pages == 0; });
  return parts;
}

std::uint64_t Ledger::residue() const {
  std::uint64_t left = classes_[PM_RAM_UNMARKED] + classes_[PM_RAM_UNKNOWN];
  for (const ExplainedPages& part : explained_unmarked()) left -= part.pages;
  return left;
}

std::uint64_t Ledger::explained_too_much() const {
  if (classes_[PM_RAM_UNMARKED] == 0) return 0;
  std::uint64_t sum = 0;
  for (const ExplainedPages& part : explained())
    sum += std::min(part.pages, kMaxFrames);  // totals of a crafted file may be any number
  return sum - std::min(sum, classes_[PM_RAM_UNMARKED]);
}

std::uint64_t Ledger::moved() const {
  std::uint64_t pages = churn();
  for (const char* const name :
       {"free", "free_in_zones", "free_percpu", "total", "slab", "kernel_stack", "vmalloc",
        "percpu", "page_tables", "zsmalloc", "zswap"})
    pages += std::min(swing(name), kMaxFrames);
  return pages;
}

}  // namespace physmem
