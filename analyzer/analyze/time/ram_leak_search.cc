// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/ram_leak_search.h"

#include <algorithm>
#include <array>
#include <optional>

#include "analyzer/analyze/numbered_counter.h"
#include "analyzer/analyze/ram/cache_folders.h"
#include "analyzer/analyze/ram/class_pages.h"

namespace physmem {
namespace {

/// Rows of the ledger that are not followed as classes.
constexpr std::array<std::string_view, 18> kNotFollowed{"free",
                                                        "free_percpu",
                                                        "reserved",
                                                        "kernel_code",
                                                        "kernel_data",
                                                        "crash_kernel",
                                                        "memmap",
                                                        "zero",
                                                        "slab",
                                                        "poison",
                                                        "balloon",
                                                        "zsmalloc",
                                                        "file",
                                                        "block",
                                                        "unmarked: zsmalloc",
                                                        "unmarked: zswap",
                                                        "unmarked: boot",
                                                        "unmarked: free_no_zone"};
constexpr std::string_view kFreeLists = "unmarked: free_percpu";
constexpr const char* kVmalloc = "unmarked: vmalloc";

bool is_followed(std::string_view name) {
  return name != kFreeLists &&
         std::find(kNotFollowed.begin(), kNotFollowed.end(), name) == kNotFollowed.end();
}

/// The process of process.PID.page_tables_kB.
}  // namespace

void RamLeakSearch::on_header(const Header& header) {
  is_used_ = !processes_.order().is_left_out() && header.ram == Header::Ram::kAll;
  if (processes_.order().is_left_out()) return;
  if (!is_used_) ++without_ram_;
  if (std::exchange(boot_, processes_.boot()) != processes_.boot()) {
    series_.clear();
    times_.clear();
  }
  if (!is_used_) return;
  now_ = {};
  now_.ledger.on_header(header);
  page_size_ = static_cast<double>(header.page_size.bytes);
}

void RamLeakSearch::on_counters(std::span<const Counter> counters) {
  if (!is_used_) return;
  now_.ledger.on_counters(counters);
  for (const Counter& counter : counters) {
    if (counter.name.starts_with("slab.") || counter.name.starts_with("vmalloc."))
      now_.totals.insert_or_assign(std::string(counter.name), std::min(counter.value, kMaxCounter));
    now_.reclaimable.add(counter.name);
    if (const auto part = process_counter(counter.name); part && part->name == "page_tables_kB")
      now_.tables[part->number] = counter.value;
  }
}

void RamLeakSearch::on_task(const Task& task) {
  if (is_used_) now_.directory.on_task(task);
}

void RamLeakSearch::on_process(const Process& process) {
  if (is_used_ && !process.is_kernel_thread())
    now_.processes.emplace_back(ProcessId::of(process.task), process.task.comm);
}

void RamLeakSearch::on_zone(const Zone& zone) {
  if (is_used_) now_.ledger.on_zone(zone);
}

void RamLeakSearch::on_owner(const RamOwner& owner) {
  if (is_used_) now_.owners.push_back({OwnerIdentity::of(now_.directory.add(owner))});
}

void RamLeakSearch::on_ram(const RamRun& run) {
  if (!is_used_) return;
  now_.ledger.on_ram(run);
  const SubjectPages pages{run.pages, run.count == 0 ? run.pages : 0};
  if (run.use == PM_RAM_FILE || run.use == PM_RAM_BLOCK) now_.unmapped_cache += pages.unmapped;
  if (run.use == PM_RAM_SHMEM) now_.unmapped_shared += pages.unmapped;
  const auto place = now_.directory.find(run.owner);
  if (!place) return;
  OwnerCount& count = now_.owners[*place];
  if (count.pages.pages == 0) count.use = run.use;
  (count.use == run.use ? count.pages : now_.more[{*place, run.use}]) += pages;
}

/// Calls `take` with each owner of this kind, once per class of its frames.
template <class Take>
void RamLeakSearch::for_each_owner(RamOwner::Kind kind, Take take) const {
  for (const OwnerCount& count : now_.owners)
    if (count.owner.kind == kind && count.pages.pages != 0)
      take(count.owner, count.use, count.pages);
  for (const auto& [key, pages] : now_.more)
    if (const OwnerIdentity& owner = now_.owners[key.first].owner; owner.kind == kind)
      take(owner, key.second, pages);
}

void RamLeakSearch::on_end() {
  if (!is_used_) return;
  times_.push_back({processes_.now_ns(), processes_.snapshots()});
  series_.begin_sample(min_leak(page_size_));
  add_classes();
  add_cache();
  add_shared();
  add_slab();
  add_code();
  add_page_tables();
  series_.end_sample();
  now_ = {};
}

void RamLeakSearch::add_classes() {
  classes_.clear();
  for (const ClassPages& row : class_pages(now_.ledger)) {
    if (!is_followed(row.name)) continue;
    const std::uint64_t unmapped = row.name == "shmem" ? now_.unmapped_shared : 0;
    classes_[row.name] = series_.add_always({RamKind::kClass, row.name}, {row.pages, unmapped});
  }
}

RamSeriesEntry* RamLeakSearch::class_entry(const std::string& name) const {
  const auto found = classes_.find(name);
  return found == classes_.end() ? nullptr : found->second;
}

void RamLeakSearch::add_cache() {
  const std::uint64_t all = now_.ledger.of(PM_RAM_FILE) + now_.ledger.of(PM_RAM_BLOCK);
  CacheFolders folders(series_,
                       series_.add_always({RamKind::kCache, ""}, {all, now_.unmapped_cache}));
  for_each_owner(RamOwner::Kind::kFile, [&](const auto& file, FrameClass use, auto pages) {
    if (use != PM_RAM_SHMEM) folders.add(file, pages);
  });
  folders.follow();
  for_each_owner(RamOwner::Kind::kFile, [&](const auto& file, FrameClass use, auto pages) {
    if (use != PM_RAM_SHMEM)
      series_.add({RamKind::kCacheFile, file.name, file.file_system, file.device, file.number},
                  pages, folders.parent_of(file));
  });
}

void RamLeakSearch::add_shared() {
  std::map<std::pair<std::string, std::uint64_t>, SubjectPages> sums;
  for_each_owner(RamOwner::Kind::kFile, [&](const auto& file, FrameClass use, auto pages) {
    if (use == PM_RAM_SHMEM) sums[{file.file_system, file.device}] += pages;
  });
  std::map<std::pair<std::string, std::uint64_t>, RamSeriesEntry*> entries;
  for (const auto& [place, pages] : sums)
    entries[place] = series_.add({RamKind::kSharedFileSystem, "", place.first, place.second}, pages,
                                 class_entry("shmem"));
  for_each_owner(RamOwner::Kind::kFile, [&](const auto& file, FrameClass use, auto pages) {
    if (use == PM_RAM_SHMEM)
      series_.add({RamKind::kSharedFile, file.name, file.file_system, file.device, file.number},
                  pages, entries[{file.file_system, file.device}]);
  });
}

bool RamLeakSearch::has(RamOwner::Kind kind) const {
  return std::any_of(now_.owners.begin(), now_.owners.end(),
                     [kind](const OwnerCount& count) { return count.owner.kind == kind; });
}

/// The totals of the kernel with this prefix, by the rest of their names.
RamLeakSearch::PagesByName RamLeakSearch::totals_of(std::string_view prefix) const {
  PagesByName totals;
  for (auto at = now_.totals.lower_bound(prefix);
       at != now_.totals.end() && at->first.starts_with(prefix); ++at)
    totals[at->first.substr(prefix.size())] = at->second;
  return totals;
}

RamLeakSearch::PagesByName RamLeakSearch::slab_caches() const {
  if (!has(RamOwner::Kind::kSlab)) return totals_of("slab.");
  PagesByName caches;
  for_each_owner(RamOwner::Kind::kSlab, [&](const auto& cache, FrameClass, auto pages) {
    caches[cache.name] += pages.pages;
  });
  return caches;
}

/// The sum is SUnreclaim of /proc/meminfo, without large kmalloc and the index of cached pages, and
/// with the caches that are not taken as reclaimable here.
void RamLeakSearch::add_slab() {
  const PagesByName caches = slab_caches();
  const auto stands_alone = [this](const std::string& name) {
    return now_.reclaimable.has(name) || is_index_of_cache(name);
  };
  std::uint64_t sum = now_.ledger.of(PM_RAM_SLAB);
  for (const auto& [name, pages] : caches)
    if (stands_alone(name)) sum -= std::min(sum, pages);
  RamSeriesEntry* const slab =
      series_.add_always({RamKind::kClass, "unreclaimable slab"}, {sum, 0});
  for (const auto& [name, pages] : caches) {
    RamSeriesEntry* const entry =
        series_.add({RamKind::kSlab, name}, {pages, 0}, stands_alone(name) ? nullptr : slab);
    if (entry != nullptr) entry->is_reclaimable_slab = now_.reclaimable.has(name);
  }
}

/// Without owners, by the kernel's totals. Stacks are a class of their own.
void RamLeakSearch::add_code() {
  if (!has(RamOwner::Kind::kCode))
    for (const auto& [name, pages] : totals_of("vmalloc."))
      if (name != "kernel_stack")
        series_.add({RamKind::kCode, name, kVmalloc}, {pages, 0}, class_entry(kVmalloc));
  for_each_owner(RamOwner::Kind::kCode, [&](const auto& code, FrameClass use, auto pages) {
    const std::string word(kFrameClassWords[use]);
    series_.add({RamKind::kCode, code.name, word}, pages, class_entry(word));
  });
}

void RamLeakSearch::add_page_tables() {
  for (const auto& [id, name] : now_.processes) {
    const auto tables = now_.tables.find(id.pid);
    if (tables == now_.tables.end()) continue;
    const auto pages =
        static_cast<std::uint64_t>(static_cast<double>(tables->second) * 1024 / page_size_);
    RamSeriesEntry* const entry =
        series_.add({RamKind::kPageTables, "", "", id.start_time.value_or(0), id.pid}, {pages, 0},
                    class_entry("pgtable"));
    if (entry != nullptr) entry->process = name;
  }
}

std::vector<RamLeakRow> RamLeakSearch::rows(const std::vector<LeakRow>& processes) const {
  std::vector<double> time;
  for (const Sample& sample : times_)
    time.push_back(processes_.has_times() ? static_cast<double>(sample.at_ns) / 1e9
                                          : static_cast<double>(sample.snapshot - 1));
  return RamLeakJudge(series_, {std::move(time), page_size_, processes_.min_duration()}, processes)
      .rows();
}

}  // namespace physmem
