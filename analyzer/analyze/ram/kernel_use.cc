// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/kernel_use.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "analyzer/analyze/numbered_counter.h"

namespace physmem {
namespace {

/// Parts of the unmarked pages, as Ledger::explained() names them. The others are free.
constexpr std::array<std::pair<std::string_view, KernelKind>, 8> kExplained{
    {{"boot", KernelKind::kReserved},
     {word_of(PM_RAM_LARGE_KMALLOC), KernelKind::kLargeKmalloc},
     {word_of(PM_RAM_KERNEL_STACK), KernelKind::kStacks},
     {word_of(PM_RAM_VMALLOC), KernelKind::kVmalloc},
     {word_of(PM_RAM_PERCPU), KernelKind::kPerCpu},
     {word_of(PM_RAM_PGTABLE), KernelKind::kPageTables},
     {word_of(PM_RAM_ZSMALLOC), KernelKind::kZsmalloc},
     {"zswap", KernelKind::kZswap}}};

constexpr std::size_t index(KernelKind kind) {
  return static_cast<std::size_t>(kind);
}

void sort(std::vector<KernelOwner>& owners) {
  std::stable_sort(owners.begin(), owners.end(),
                   [](const KernelOwner& a, const KernelOwner& b) { return a.pages > b.pages; });
}

}  // namespace

void KernelUse::on_header(const Header& header) {
  *this = {};
  ledger_.on_header(header);
}

void KernelUse::on_counters(std::span<const Counter> counters) {
  ledger_.on_counters(counters);
  for (const Counter& counter : counters)
    if (const auto part = process_counter(counter.name); part && part->name == "page_tables_kB")
      page_tables_[part->number] = {part->number, "", std::min(counter.value, kMaxCounter)};
}

/// The counter comes before the task.
void KernelUse::on_task(const Task& task) {
  ledger_.on_task(task);
  if (const auto found = page_tables_.find(task.pid); found != page_tables_.end())
    found->second.comm = task.comm;
}

void KernelUse::on_zone(const Zone& zone) {
  ledger_.on_zone(zone);
}

void KernelUse::on_owner(const RamOwner& owner) {
  ledger_.on_owner(owner);
}

void KernelUse::Residue::end_run() {
  if (begin == end) return;
  ResidueRuns& same = runs[static_cast<std::size_t>(std::bit_width(end - begin) - 1)];
  ++same.runs;
  same.frames += end - begin;
  begin = end;
}

void KernelUse::on_ram(const RamRun& run) {
  ledger_.on_ram(run);
  const auto kind = facts_of(run.use).kernel;
  if (!kind) return;
  if (run.owner != 0) pages_[index(*kind)][run.owner] += run.pages;
  if (*kind != KernelKind::kUnknown) return;
  if (run.first_pfn != residue_.end) {
    residue_.end_run();
    residue_.begin = run.first_pfn;
  }
  residue_.end = run.first_pfn + run.pages;
}

std::vector<KernelRow> KernelUse::rows() const {
  std::array<KernelRow, kKernelKinds> all{};
  for (std::size_t i = 0; i < kKernelKinds; ++i) {
    all[i].kind = static_cast<KernelKind>(i);
    all[i].owners = pages_[i].size();
  }
  for (const FrameClassFacts& facts : kFrameClassTable) {
    if (!facts.kernel) continue;
    all[index(*facts.kernel)].framed += ledger_.of(facts.use);
    all[index(*facts.kernel)].owned += ledger_.owned(facts.use);
  }
  for (const ExplainedPages& part : ledger_.explained_unmarked()) {
    all[index(KernelKind::kUnknown)].framed -= part.pages;
    for (const auto& [word, kind] : kExplained)
      if (word == part.word) all[index(kind)].explained += part.pages;
  }
  KernelRow& unknown = all[index(KernelKind::kUnknown)];
  unknown.owned = std::min(unknown.owned, unknown.framed);  // less what totals explain
  all[index(KernelKind::kPageTables)].owners = page_tables_.size();
  std::vector<KernelRow> rows;
  for (const KernelRow& row : all)
    if (row.pages() != 0) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [](const KernelRow& a, const KernelRow& b) {
    const bool is_unknown = a.kind == KernelKind::kUnknown;
    if (is_unknown != (b.kind == KernelKind::kUnknown)) return !is_unknown;
    return a.pages() > b.pages();
  });
  return rows;
}

std::vector<KernelOwner> KernelUse::owners(KernelKind kind) const {
  std::vector<KernelOwner> owners;
  for (const OwnerRow& row : ledger_.owners())
    if (const auto found = pages_[index(kind)].find(row.owner.id);
        found != pages_[index(kind)].end())
      owners.push_back({row.owner, found->second});
  sort(owners);
  return owners;
}

std::vector<KernelOwner> KernelUse::vmalloc() const {
  std::vector<KernelOwner> functions = owners(KernelKind::kVmalloc);
  if (!functions.empty()) return functions;
  for (const auto& [caller, pages] : ledger_.counters_of("vmalloc")) {
    if (caller == "kernel_stack" || pages == 0) continue;
    RamOwner owner;
    owner.kind = RamOwner::Kind::kCode;
    owner.name = caller;
    functions.push_back({std::move(owner), pages});
  }
  sort(functions);
  return functions;
}

std::vector<PageTableUse> KernelUse::page_tables() const {
  std::vector<PageTableUse> processes;
  for (const auto& [pid, use] : page_tables_) processes.push_back(use);
  std::stable_sort(processes.begin(), processes.end(),
                   [](const PageTableUse& a, const PageTableUse& b) { return a.kib > b.kib; });
  return processes;
}

std::vector<ResidueRuns> KernelUse::residue_runs() const {
  Residue residue = residue_;
  residue.end_run();
  std::vector<ResidueRuns> runs;
  for (std::size_t i = 0; i < residue.runs.size(); ++i) {
    if (residue.runs[i].runs == 0) continue;
    runs.push_back(residue.runs[i]);
    runs.back().pages = std::uint64_t{1} << i;
  }
  return runs;
}

}  // namespace physmem
