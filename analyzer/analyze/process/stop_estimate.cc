// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/stop_estimate.h"

#include <algorithm>
#include <bit>
#include <functional>
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

/// Rounded up; of a hostile counter, without overflow.
std::uint64_t pages_of_kib(std::uint64_t kib, PageSize page_size) {
  const std::uint64_t kib_of_page = page_size.kib(1);
  return kib / kib_of_page + (kib % kib_of_page != 0 ? 1 : 0);
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

StopFate stop_fate_of(MappedKind kind) {
  using enum MappedKind;
  switch (kind) {
    case kAnonymous:
    case kNameless:
    case kDeletedFile:
    case kDmaBuf:
      return StopFate::kFree;
    case kHugetlb:
      return StopFate::kPool;
    case kCleanFile:
    case kDirtyFile:
      return StopFate::kReclaimable;
    default:
      return StopFate::kLeft;
  }
}

std::uint64_t StopSet::kept() const {
  std::uint64_t pages = 0;
  for (const Frames& one : kinds) pages += one.shared + one.elsewhere + one.held;
  return pages;
}

std::uint64_t StopSet::alone(StopFate fate) const {
  std::uint64_t pages = 0;
  for (std::size_t i = 0; i < kMappedKinds; ++i)
    if (stop_fate_of(static_cast<MappedKind>(i)) == fate) pages += kinds[i].alone();
  return pages;
}

std::uint64_t StopSet::free() const {
  return alone(StopFate::kFree) + page_tables.value_or(0) + stacks.value_or(0) +
         objects.value_or(0) + swap_cache.value_or(0);
}

void StopEstimate::on_header(const Header& header) {
  *this =
      StopEstimate(std::move(only_), is_one_ ? std::nullopt : std::optional(groups_.grouping()));
  header_ = header;
}

void StopEstimate::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) {
    if (counter.name == "holders.descriptors") knows_holders_ = true;
    if (counter.name == "holders.denied") hidden_holders_ = counter.value;
    if (counter.name == "collect.pid") collector_ = counter.value;
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
  const auto [found, is_new] = held_numbers_.try_emplace({holder.device, holder.inode},
                                                         static_cast<std::uint32_t>(held_.size()));
  if (is_new) {
    held_.push_back({.key = found->first, .pages = holder.pages.value_or(0)});
    held_.back().kind = holder.kind == kDmaBuf    ? MappedKind::kDmaBuf
                        : holder.kind == kHugetlb ? MappedKind::kHugetlb
                        : holder.kind == kDeleted ? MappedKind::kDeletedFile
                                                  : MappedKind::kNameless;
  }
  held_[found->second].pids.insert(holder.pid);
}

void StopEstimate::on_task(const Task& task) {
  constexpr std::uint64_t kKthreadd = 2;  // it is in every snapshot of a whole system
  ++tasks_;
  has_all_tasks_ = has_all_tasks_ || task.pid == kKthreadd;
  if (only_.has(task)) groups_.on_task(task);
}

void StopEstimate::on_pages(const Process&, const Area& area, std::span<const PageRun> runs) {
  const auto number = static_cast<std::uint32_t>(members_.size());
  const auto held = held_numbers_.find({area.vma.device, area.vma.inode});
  for (const PageRun& run : runs) {
    if (!has_counted_mappings(run)) continue;
    auto kind = static_cast<std::uint32_t>(kind_of(area.vma, run.flags));
    const bool is_of_file = (run.flags & PM_PAGE_ANON) == 0;
    if (held != held_numbers_.end() && is_of_file) kind = kFirstHeld + held->second;
    if (run.count > 1)
      sharing_.add(header_, run, number, kind);
    else if (run.count == 1)
      own_[kind] += run.pages;
  }
}

void StopEstimate::on_process(const Process& process) {
  constexpr std::uint64_t kInit = 1;
  const auto number = static_cast<std::uint32_t>(members_.size());
  Member& member = members_.emplace_back();
  member.name = process.task.comm;
  member.pid = process.pid();
  member.has_user_part = !process.is_kernel_thread();
  member.is_unread = process.is_unread();
  member.threads = process.threads;
  member.areas = process.areas.size();
  member.own = std::exchange(own_, {});
  if (only_.has(process.task)) {
    if (is_one_)
      member.set = 0;
    else if (member.has_user_part && member.pid != kInit && member.pid != collector_)
      member.set = groups_.add(process);
  }
  for (const Area& area : process.areas) {
    member.slots += area.tally.slots;
    if (area.vma.inode != 0 && is_deleted(area.vma) && !is_system_v(area.vma))
      nameless_[{area.vma.device, area.vma.inode}].insert(number);
  }
}

/// All processes come before the first owner of frames.
void StopEstimate::end_processes() {
  if (std::exchange(have_processes_ended_, true)) return;
  if (groups_.grouping() == UseGrouping::kTree) {
    const std::vector<std::uint32_t> joined = groups_.join_trees();
    for (Member& member : members_)
      if (member.set != kNoSet) member.set = joined[member.set];
  }
  std::map<std::uint64_t, std::uint32_t> number_of;
  for (std::uint32_t i = 0; i < members_.size(); ++i) number_of[members_[i].pid] = i;
  for (HeldFile& file : held_) {
    for (const std::uint64_t pid : file.pids) {
      const auto found = number_of.find(pid);
      file.members.insert(found == number_of.end() ? kOutside : found->second);
    }
    nameless_[file.key].insert(file.members.begin(), file.members.end());
  }
}

void StopEstimate::on_owner(const RamOwner& owner) {
  end_processes();
  if (owner.kind == RamOwner::Kind::kSlab) object_bytes_[owner.name] = owner.object_bytes;
  const FileKey key{owner.device, owner.inode};
  if (owner.kind == RamOwner::Kind::kFile && nameless_.contains(key))
    nameless_owners_.emplace(owner.id, key);
}

void StopEstimate::on_ram(const RamRun& run) {
  if (run.count != 0) return;
  if (run.use == PM_RAM_ANON && (run.flags & PM_PAGE_SWAPCACHE) != 0) swap_cache_ += run.pages;
  const auto found = nameless_owners_.find(run.owner);
  if (found == nameless_owners_.end()) return;
  const auto kind = run.use == PM_RAM_SHMEM ? MappedKind::kNameless : MappedKind::kDeletedFile;
  unmapped_[found->second][kind] += run.pages;
}

/// Adds up sets from what is known of their members.
class StopEstimate::SetFold {
 public:
  SetFold(const StopEstimate& all, std::vector<std::uint32_t> set_of, std::size_t sets)
      : all_(all), set_of_(std::move(set_of)), sets_(sets), held_(sets) {}

  std::vector<StopSet> operator()() {
    for (std::uint32_t i = 0; i < set_of_.size(); ++i)
      if (set_of_[i] != kNoSet) add_member(i);
    all_.sharing_.for_each([this](const FrameSharing::Pattern& pattern) { add_pattern(pattern); });
    for (std::uint32_t i = 0; i < all_.held_.size(); ++i) add_held(i);
    add_unmapped();
    for (StopSet& set : sets_) add_kernel_parts(set);
    if (all_.is_one_) {
      add_swap();
      set_keepers();
    }
    return std::move(sets_);
  }

 private:
  using Frames = StopSet::Frames;

  std::uint32_t set_of(std::uint32_t member) const {
    return member == kOutside ? kNoSet : set_of_[member];
  }
  /// The sets of these members, each once.
  template <class Members>
  std::set<std::uint32_t> sets_of(const Members& members) const {
    std::set<std::uint32_t> sets;
    for (const std::uint32_t member : members) sets.insert(set_of(member));
    return sets;
  }
  /// Of files that are held, until it is known who holds them.
  Frames& frames(std::uint32_t set, std::uint32_t kind) {
    return kind < kFirstHeld ? sets_[set].kinds[kind] : held_[set][kind - kFirstHeld];
  }
  Frames& frames(std::uint32_t set, MappedKind kind) {
    return frames(set, static_cast<std::uint32_t>(kind));
  }

  void add_member(std::uint32_t number);
  void add_pattern(const FrameSharing::Pattern& pattern);
  void add_held(std::uint32_t number);
  void add_unmapped();
  void add_kernel_parts(StopSet& set) const;
  void add_swap();
  /// Members outside of the one set that have frames of it.
  template <class Members>
  void add_keepers(const Members& members, std::uint64_t frames);
  void set_keepers();

  const StopEstimate& all_;
  std::vector<std::uint32_t> set_of_;  ///< of each member, or kNoSet
  std::vector<StopSet> sets_;
  std::vector<std::map<std::uint32_t, Frames>> held_;  ///< of each set, by the index of the file
  std::set<std::uint32_t> keepers_;
  std::map<std::string_view, std::uint64_t> kept_by_name_;
};

void StopEstimate::SetFold::add_member(std::uint32_t number) {
  const Member& member = all_.members_[number];
  StopSet& set = sets_[set_of_[number]];
  for (const auto& [kind, pages] : member.own) frames(set_of_[number], kind).own += pages;
  if (!member.has_user_part) return;
  if (set.processes == 0) set.command = member.name;
  ++set.processes;
  set.threads += member.threads;
  set.areas += member.areas;
  if (member.is_unread) ++set.unread;
  const auto tables = all_.table_kib_.find(member.pid);
  if (tables == all_.table_kib_.end()) {
    ++set.without_tables;
    return;
  }
  const PageSize page_size = all_.header_.page_size;
  set.page_tables = set.page_tables.value_or(0) + pages_of_kib(tables->second, page_size);
}

void StopEstimate::SetFold::add_pattern(const FrameSharing::Pattern& pattern) {
  std::set<std::uint32_t> sets = sets_of(pattern.processes);
  const bool is_of_one = sets.size() == 1;
  if (sets.erase(kNoSet) != 0 && sets.empty()) return;
  if (is_of_one) {
    Frames& found = frames(*sets.begin(), pattern.kind);
    (pattern.is_complete ? found.own : found.elsewhere) += pattern.frames;
    return;
  }
  for (const std::uint32_t set : sets) frames(set, pattern.kind).shared += pattern.frames;
  add_keepers(pattern.processes, pattern.frames);
}

template <class Members>
void StopEstimate::SetFold::add_keepers(const Members& members, std::uint64_t frames) {
  if (!all_.is_one_) return;
  std::set<std::string_view> names;
  for (const std::uint32_t member : members) {
    if (member == kOutside || set_of_[member] != kNoSet) continue;
    keepers_.insert(member);
    names.insert(all_.members_[member].name);
  }
  for (const std::string_view name : names) kept_by_name_[name] += frames;
}

/// What a set alone maps of a file becomes free, unless others hold the file.
void StopEstimate::SetFold::add_held(std::uint32_t number) {
  const HeldFile& file = all_.held_[number];
  const std::set<std::uint32_t> holders = sets_of(file.members);
  for (std::uint32_t i = 0; i < sets_.size(); ++i) {
    const auto found = held_[i].find(number);
    if (found == held_[i].end()) continue;
    const Frames& part = found->second;
    const bool has_others = holders.size() > 1 || (holders.size() == 1 && !holders.contains(i));
    Frames& sum = frames(i, file.kind);
    (has_others ? sum.held : sum.own) += part.own;
    sum.shared += part.shared;
    sum.elsewhere += part.elsewhere;
    if (has_others && part.own != 0) add_keepers(file.members, part.own);
  }
  const bool is_of_one = holders.size() == 1 && !holders.contains(kNoSet);
  if (file.kind == MappedKind::kDmaBuf && is_of_one)
    frames(*holders.begin(), file.kind).unmapped += file.pages;
}

void StopEstimate::SetFold::add_unmapped() {
  for (const auto& [key, kinds] : all_.unmapped_) {
    const std::set<std::uint32_t> users = sets_of(all_.nameless_.at(key));
    if (users.size() != 1 || users.contains(kNoSet)) continue;
    for (const auto& [kind, pages] : kinds) frames(*users.begin(), kind).unmapped += pages;
  }
}

void StopEstimate::SetFold::add_kernel_parts(StopSet& set) const {
  const PageSize page_size = all_.header_.page_size;
  if (const auto kib = all_.stack_kib()) set.stacks = pages_of_kib(set.threads * *kib, page_size);
  std::optional<std::uint64_t> bytes;
  const auto add = [&](const char* cache, std::uint64_t objects) {
    const auto found = all_.object_bytes_.find(cache);
    if (found != all_.object_bytes_.end() && objects != 0)
      bytes = bytes.value_or(0) + objects * found->second;
  };
  add("task_struct", set.threads);
  add("vm_area_struct", set.areas);
  for (const char* cache : {"mm_struct", "signal_cache", "sighand_cache", "files_cache"})
    add(cache, set.processes);
  if (bytes) set.objects = *bytes >> page_size.shift();
}

void StopEstimate::SetFold::add_swap() {
  SwapSlots all, others;
  for (std::uint32_t i = 0; i < set_of_.size(); ++i) {
    all += all_.members_[i].slots;
    if (set_of_[i] == kNoSet) others += all_.members_[i].slots;
  }
  StopSet& set = sets_.front();
  set.swap_slots = all.distinct() - others.distinct();
  set.swap_cache = std::nullopt;
  if (set.swap_slots == 0)
    set.swap_cache = 0;
  else if (all_.header_.ram == Header::Ram::kAll &&
           (others.entries() == 0 || all_.swap_cache_ == 0))
    set.swap_cache = std::min(all_.swap_cache_, set.swap_slots);
}

void StopEstimate::SetFold::set_keepers() {
  std::map<std::string_view, std::uint64_t> processes;
  for (const std::uint32_t member : keepers_) ++processes[all_.members_[member].name];
  std::vector<StopSet::Keeper>& keepers = sets_.front().keepers;
  for (const auto& [name, frames] : kept_by_name_)
    keepers.push_back({std::string(name), processes[name], frames});
  std::ranges::stable_sort(keepers, std::greater<>(), &StopSet::Keeper::frames);
}

std::vector<StopSet> StopEstimate::fold(std::vector<std::uint32_t> set_of, std::size_t sets) const {
  return SetFold(*this, std::move(set_of), sets)();
}

std::vector<std::uint32_t> StopEstimate::sets_of_members() const {
  std::vector<std::uint32_t> set_of;
  for (const Member& member : members_) set_of.push_back(member.set);
  return set_of;
}

void StopEstimate::on_end() {
  end_processes();
  sets_ = fold(sets_of_members(), is_one_ ? 1 : groups_.numbers().size());
}

std::map<std::set<std::uint32_t>, std::uint64_t> StopEstimate::shared_frames() const {
  std::map<std::set<std::uint32_t>, std::uint64_t> frames;
  const std::vector<std::uint32_t> set_of = sets_of_members();
  const auto add = [&](std::set<std::uint32_t> sets, std::uint64_t pages) {
    if (!sets.empty() && !sets.contains(kNoSet)) frames[std::move(sets)] += pages;
  };
  const auto sets_of = [&](const auto& members) {
    std::set<std::uint32_t> sets;
    for (const std::uint32_t member : members)
      sets.insert(member == kOutside ? kNoSet : set_of[member]);
    return sets;
  };
  const auto add_mapped = [&](std::set<std::uint32_t> sets, std::uint32_t kind,
                              std::uint64_t pages) {
    const bool is_held = kind >= kFirstHeld;
    const MappedKind mapped =
        is_held ? held_[kind - kFirstHeld].kind : static_cast<MappedKind>(kind);
    if (stop_fate_of(mapped) != StopFate::kFree) return;
    if (is_held) sets.merge(sets_of(held_[kind - kFirstHeld].members));
    add(std::move(sets), pages);
  };
  for (const Member& member : members_)
    for (const auto& [kind, pages] : member.own) add_mapped({member.set}, kind, pages);
  sharing_.for_each([&](const FrameSharing::Pattern& pattern) {
    if (pattern.is_complete) add_mapped(sets_of(pattern.processes), pattern.kind, pattern.frames);
  });
  for (const auto& [key, kinds] : unmapped_)
    for (const auto& [kind, pages] : kinds) add(sets_of(nameless_.at(key)), pages);
  for (const HeldFile& file : held_)
    if (file.kind == MappedKind::kDmaBuf) add(sets_of(file.members), file.pages);
  return frames;
}

StopSet StopEstimate::union_of(const std::set<std::uint32_t>& sets) const {
  std::vector<std::uint32_t> set_of;
  for (const Member& member : members_) set_of.push_back(sets.contains(member.set) ? 0 : kNoSet);
  return fold(std::move(set_of), 1).front();
}

/// Of one thread. All stacks have one size, a power of two.
std::optional<std::uint64_t> StopEstimate::stack_kib() const {
  if (!kernel_stack_kib_ || !has_all_tasks_) return std::nullopt;
  const std::uint64_t mean = *kernel_stack_kib_ / tasks_;
  if (mean == 0) return std::nullopt;
  const std::uint64_t below = std::bit_floor(mean);
  return mean - below < 2 * below - mean ? below : 2 * below;
}

bool StopEstimate::is_known() const {
  return header_.has_pages && header_.stable_flags && !header_.pfn_hidden &&
         header_.count == Header::Count::kMapcount;
}

}  // namespace physmem
