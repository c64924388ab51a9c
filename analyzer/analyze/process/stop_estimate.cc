// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/stop_estimate.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "analyzer/analyze/mapping_sweep.h"
#include "analyzer/analyze/numbered_counter.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

constexpr std::string_view kDeletedEnding = " (deleted)";

bool is_deleted(const Vma& vma) {
  return vma.unit.text().ends_with(kDeletedEnding);
}

/// The kernel names all System V shared memory so, removed or not.
bool is_system_v(const Vma& vma) {
  return vma.unit.text().starts_with("/SYSV");
}

MappedKind kind_of(const Vma& vma, std::uint64_t flags) {
  using enum MappedKind;
  if ((flags & PM_PAGE_HUGE) != 0) return kHugetlb;
  if ((flags & PM_PAGE_ANON) != 0) return kAnonymous;
  if ((flags & PM_PAGE_SWAPBACKED) != 0) {
    if (is_system_v(vma)) return kSystemV;
    return is_deleted(vma) ? kNameless : kTmpfs;
  }
  if (is_deleted(vma)) return kDeletedFile;
  return (flags & (PM_PAGE_DIRTY | PM_PAGE_WRITEBACK)) != 0 ? kDirtyFile : kCleanFile;
}

}  // namespace

void StopEstimate::on_header(const Header& header) {
  *this = StopEstimate(std::move(set_));
  header_ = header;
}

void StopEstimate::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) {
    if (counter.name == "holders.descriptors") knows_holders_ = true;
    if (counter.name == "holders.denied") hidden_holders_ = counter.value;
    if (counter.name == "mem.KernelStack_kB") kernel_stack_kib_ = counter.value;
    if (const auto part = process_counter(counter.name); part && part->name == "page_tables_kB")
      table_kib_[part->number] = counter.value;
  }
}

/// A file with a path stays anyway.
void StopEstimate::on_holder(const Holder& holder) {
  using enum Holder::Kind;
  const bool is_nameless = holder.kind == kMemfd || holder.kind == kDmaBuf ||
                           (holder.kind != kSystemV && holder.name.ends_with(kDeletedEnding));
  if (!is_nameless) return;
  const auto [found, is_new] =
      held_numbers_.try_emplace({holder.device, holder.inode}, held_.size());
  if (is_new) {
    held_.push_back({.key = found->first, .pages = holder.pages.value_or(0)});
    held_.back().kind = holder.kind == kDmaBuf    ? MappedKind::kDmaBuf
                        : holder.kind == kHugetlb ? MappedKind::kHugetlb
                        : holder.kind == kDeleted ? MappedKind::kDeletedFile
                                                  : MappedKind::kNameless;
    frames_.emplace_back();
  }
  held_[found->second].holders.insert(holder.pid);
}

void StopEstimate::on_task(const Task& task) {
  constexpr std::uint64_t kKthreadd = 2;  // it is in every snapshot of a whole system
  ++tasks_;
  has_all_tasks_ = has_all_tasks_ || task.pid == kKthreadd;
}

void StopEstimate::on_pages(const Process& process, const Area& area,
                            std::span<const PageRun> runs) {
  const bool is_of_set = is_in_set(process);
  const auto number = static_cast<std::uint32_t>(members_.size());
  const auto held = held_numbers_.find({area.vma.device, area.vma.inode});
  for (const PageRun& run : runs) {
    if (!has_counted_mappings(run)) continue;
    auto kind = static_cast<std::size_t>(kind_of(area.vma, run.flags));
    const bool is_of_file = (run.flags & PM_PAGE_ANON) == 0;
    if (held != held_numbers_.end() && is_of_file) kind = kMappedKinds + held->second;
    if (run.count > 1)
      sharing_.add(header_, run, number, static_cast<std::uint32_t>(kind));
    else if (run.count == 1 && is_of_set)
      frames_[kind].own += run.pages;
  }
}

void StopEstimate::on_process(const Process& process) {
  const bool is_of_set = is_in_set(process);
  members_.push_back({process.task.comm, is_of_set, process.pid()});
  if (is_of_set) add_to_set(process);
  for (const Area& area : process.areas) {
    (is_of_set ? set_slots_ : other_slots_) += area.tally.slots;
    if (area.vma.inode != 0 && is_deleted(area.vma) && !is_system_v(area.vma))
      (is_of_set ? nameless_ : kept_).emplace(area.vma.device, area.vma.inode);
  }
}

void StopEstimate::add_to_set(const Process& process) {
  if (process.is_kernel_thread()) return;
  ++processes_;
  threads_ += process.threads;
  areas_ += process.areas.size();
  if (process.is_unread()) ++unread_;
  if (const auto found = table_kib_.find(process.pid()); found != table_kib_.end())
    page_table_kib_ = page_table_kib_.value_or(0) + found->second;
}

/// How many objects of a slab cache the set has: the large ones that each has.
std::uint64_t StopEstimate::objects_of(const std::string& cache) const {
  if (cache == "task_struct") return threads_;
  if (cache == "vm_area_struct") return areas_;
  const bool is_of_process = cache == "mm_struct" || cache == "signal_cache" ||
                             cache == "sighand_cache" || cache == "files_cache";
  return is_of_process ? processes_ : 0;
}

/// Which processes are of the set is known after the last one.
void StopEstimate::judge_holders() {
  if (std::exchange(are_holders_judged_, true)) return;
  std::set<std::uint64_t> of_set;
  for (const Member& member : members_)
    if (member.is_in_set) of_set.insert(member.pid);
  for (HeldFile& file : held_) {
    for (const std::uint64_t pid : file.holders)
      (of_set.contains(pid) ? file.is_held_by_set : file.is_held_by_others) = true;
    if (file.is_held_by_set) nameless_.insert(file.key);
    if (file.is_held_by_others) kept_.insert(file.key);
  }
}

/// What the set alone maps of a file becomes free, unless others hold the file.
void StopEstimate::keep_held() {
  std::map<std::uint64_t, std::size_t> number_of;
  for (std::size_t i = 0; i < members_.size(); ++i) number_of[members_[i].pid] = i;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const HeldFile& file = held_[i];
    const Frames& found = frames_[kMappedKinds + i];
    Frames& sum = frames_[static_cast<std::size_t>(file.kind)];
    (file.is_held_by_others ? sum.held : sum.own) += found.own;
    sum.shared += found.shared;
    sum.elsewhere += found.elsewhere;
    const bool is_only_held = file.kind == MappedKind::kDmaBuf && !file.is_held_by_others;
    if (is_only_held && file.is_held_by_set) sum.unmapped += file.pages;
    if (!file.is_held_by_others || found.own == 0) continue;
    std::set<std::string_view> names;
    for (const std::uint64_t pid : file.holders) {
      const auto member = number_of.find(pid);
      if (member == number_of.end() || members_[member->second].is_in_set) continue;
      members_[member->second].shared += found.own;
      if (names.insert(members_[member->second].name).second)
        shared_by_name_[members_[member->second].name] += found.own;
    }
  }
}

/// All areas come before the first owner of frames.
void StopEstimate::on_owner(const RamOwner& owner) {
  judge_holders();
  if (owner.kind == RamOwner::Kind::kSlab && objects_of(owner.name) != 0)
    object_bytes_ = object_bytes_.value_or(0) + objects_of(owner.name) * owner.object_bytes;
  const FileKey key{owner.device, owner.inode};
  if (owner.kind == RamOwner::Kind::kFile && nameless_.contains(key) && !kept_.contains(key))
    alone_.insert(owner.id);
}

void StopEstimate::on_ram(const RamRun& run) {
  if (run.count != 0) return;
  if (run.use == PM_RAM_ANON && (run.flags & PM_PAGE_SWAPCACHE) != 0) swap_cache_ += run.pages;
  if (!alone_.contains(run.owner)) return;
  const auto kind = run.use == PM_RAM_SHMEM ? MappedKind::kNameless : MappedKind::kDeletedFile;
  frames_[static_cast<std::size_t>(kind)].unmapped += run.pages;
}

void StopEstimate::on_end() {
  judge_holders();
  sharing_.for_each([this](const FrameSharing::Pattern& pattern) { add_pattern(pattern); });
  keep_held();
  set_keepers();
  SwapSlots all = set_slots_;
  all += other_slots_;
  swap_slots_ = all.distinct() - other_slots_.distinct();
}

void StopEstimate::add_pattern(const FrameSharing::Pattern& pattern) {
  const auto is_of_set = [this](std::uint32_t process) { return members_[process].is_in_set; };
  const auto in_set = std::ranges::count_if(pattern.processes, is_of_set);
  if (in_set == 0) return;
  Frames& frames = frames_[pattern.kind];
  if (static_cast<std::size_t>(in_set) == pattern.processes.size()) {
    (pattern.is_complete ? frames.own : frames.elsewhere) += pattern.frames;
    return;
  }
  frames.shared += pattern.frames;
  std::set<std::string_view> names;
  for (const std::uint32_t process : pattern.processes) {
    if (is_of_set(process)) continue;
    members_[process].shared += pattern.frames;
    if (names.insert(members_[process].name).second)
      shared_by_name_[members_[process].name] += pattern.frames;
  }
}

void StopEstimate::set_keepers() {
  std::map<std::string_view, std::uint64_t> processes;
  for (const Member& member : members_)
    if (member.shared != 0) ++processes[member.name];
  for (const auto& [name, frames] : shared_by_name_)
    keepers_.push_back({name, processes[name], frames});
  std::ranges::stable_sort(keepers_, std::greater<>(), &Keeper::frames);
}

/// All stacks have one size, a power of two.
std::optional<std::uint64_t> StopEstimate::stack_kib() const {
  if (!kernel_stack_kib_ || !has_all_tasks_) return std::nullopt;
  const std::uint64_t mean = *kernel_stack_kib_ / tasks_;
  const std::uint64_t below = std::bit_floor(std::max<std::uint64_t>(mean, 1));
  return threads_ * (mean - below < 2 * below - mean ? below : 2 * below);
}

std::optional<std::uint64_t> StopEstimate::swap_cache() const {
  if (swap_slots_ == 0) return 0;
  if (header_.ram != Header::Ram::kAll) return std::nullopt;
  if (other_slots_.entries() != 0 && swap_cache_ != 0) return std::nullopt;
  return std::min(swap_cache_, swap_slots_);
}

bool StopEstimate::is_known() const {
  return header_.has_pages && header_.stable_flags && !header_.pfn_hidden &&
         header_.count == Header::Count::kMapcount;
}

}  // namespace physmem
