// SPDX-License-Identifier: MIT
#include "analyzer/analyze/census.h"

#include <algorithm>
#include <utility>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

constexpr std::uint64_t kUnownedFrame = PM_PAGE_ZERO_PAGE | PM_PAGE_NOPAGE;

/// Header::frame() with its operands in registers.
struct FrameOf {
  explicit FrameOf(const Header& header)
      : mask(header.phys_mask), shift(header.page_size.shift()) {}
  std::uint64_t operator()(std::uint64_t value) const { return (value & mask) >> shift; }
  std::uint64_t mask;
  unsigned shift;
};

}  // namespace

Census::Census(std::vector<Analysis*> analyses, ProcessFilter only)
    : analyses_(std::move(analyses)), only_(std::move(only)), not_found_(only_.pids) {
  for (const Analysis* analysis : analyses_) {
    needs_new_frames_ |= analysis->needs_new_frames();
    needs_first_seen_ |= analysis->needs_first_seen() || analysis->needs_new_frames();
  }
}

void Census::on_header(const Header& header) {
  header_ = header;
  // Device addresses interrupt RAM addresses, so the highest frame is above the number of frames.
  constexpr std::uint64_t kHoles = std::uint64_t{1} << 20;
  if (needs_first_seen_ && header.ram_pages) frames_.expect(*header.ram_pages + kHoles);
  needs_unique_ = !header.pfn_hidden && header.count != Header::Count::kAverage &&
                  std::ranges::any_of(analyses_, &Analysis::needs_unique);
  if (needs_unique_ && header.ram_pages) shared_frames_.expect(*header.ram_pages + kHoles);
  linear_frames_ = header.linear_frames();
  kinds_ = kinds_of(header);
  for (Analysis* analysis : analyses_) analysis->on_header(header);
}

void Census::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters)
    if (only_.leaves_out_collector && counter.name == "collect.pid")
      only_.observers.insert(counter.value);
  for (Analysis* analysis : analyses_) analysis->on_counters(counters);
}

void Census::on_task(Task&& task) {
  finish_area();
  announce_task(task);
  const bool shares = process_ && task.mm != 0 && task.mm == process_->task.mm;
  repeated_ = shares ? !process_->areas.empty() : task.mm != 0 && complete_.count(task.mm) != 0;
  if (shares) {
    if (is_of_process(task))
      ++process_->threads;
    else
      announce_late(task);
    return;
  }
  finish_process();
  if (repeated_) return announce_late(task);
  process_.emplace();
  process_->areas = std::move(no_areas_);
  process_->task = std::move(task);
  take_ended_leader();
  if (!only_.has(process_->task)) process_.reset();
  regions_.emplace(header_);
}

void Census::announce_late(const Task& task) {
  const bool is_process = task.identity && task.identity->tgid == task.pid;
  for (Analysis* analysis : analyses_) analysis->on_late_task(is_process);
}

/// Another process may share the address space: a child after vfork(). Version 1 does not say.
bool Census::is_of_process(const Task& task) const {
  return !task.identity || task.identity->tgid == process_->pid();
}

/// A thread-group leader that ended has no address space any more, its other threads have. The
/// process is named after it.
void Census::take_ended_leader() {
  Task& task = process_->task;
  if (!task.identity) return;
  const bool is_leader = task.pid == task.identity->tgid;
  if (is_leader && task.mm == 0) leaders_without_mm_[task.pid] = task;
  if (is_leader || task.mm == 0) return;
  const auto leader = leaders_without_mm_.find(task.identity->tgid);
  if (leader == leaders_without_mm_.end()) return;
  process_->has_ended_leader = true;
  ++process_->threads;
  const std::uint64_t mm = task.mm;
  task = std::move(leader->second);
  task.mm = mm;
  leaders_without_mm_.erase(leader);
}

void Census::on_vma(Vma&& vma) {
  finish_area();
  if (repeated_) ++repeated_areas_;
  if (repeated_ || !process_) return;
  Area& area = process_->areas.emplace_back();
  area.marks = regions_->add(vma);
  area.virtual_pages = header_.page_size.pages(vma.size());
  area.vma = std::move(vma);
  in_area_ = true;
  announced_ = false;
  incomplete_ = !header_.has_pages;
}

void Census::on_counts(const PageCounts& counts) {
  if (!in_area_) return;
  area().counts = counts;
  announce();
}

void Census::announce_task(const Task& task) {
  if (!only_.has(task)) return;
  for (Analysis* analysis : analyses_) analysis->on_task(task);
}

void Census::announce() {
  if (std::exchange(announced_, true)) return;
  for (Analysis* analysis : analyses_) analysis->on_area(*process_, area());
}

void Census::on_pages(std::span<const PageRun> runs, const PageSums& sums) {
  if (!in_area_) return;
  announce();
  AreaTally& tally = area().tally;
  tally.file += sums.file;
  tally.anon += sums.anon;
  tally.special += sums.special;
  if (needs_unique_) keep_shared(runs);
  if (needs_first_seen_) see_frames(runs);
  for (Analysis* analysis : analyses_) analysis->on_pages(*process_, area(), runs);
}

/// Frames with several mappings, of which all may be in this process.
void Census::keep_shared(std::span<const PageRun> runs) {
  const FrameOf frame(header_);
  const auto tag = static_cast<std::uint32_t>(2 * (process_->areas.size() - 1));
  for (const PageRun& run : runs) {
    if (run.count < 2 || (run.flags & kinds_.special) != 0) continue;
    shared_.add(header_, run, tag + ((run.flags & kinds_.anon) != 0 ? 1 : 0));
    const std::uint64_t added = shared_frames_.insert(frame(run.value), run.pages);
    has_repeated_ = has_repeated_ || added != run.pages;
  }
}

/// Memory that a process maps twice, as JIT compilers and ring buffers do, is its own.
void Census::find_repeated() {
  for (const MappingSweep::Run& run : shared_.runs())
    shared_frames_.erase(run.first, run.end - run.first);
  if (std::exchange(has_repeated_, false)) count_repeated();
  shared_.clear();
}

void Census::count_repeated() {
  shared_.begin();
  for (std::uint64_t at = shared_.next_change(); at != MappingSweep::kNoFrame;) {
    shared_.move_to(at);
    const std::uint64_t next = shared_.next_change();
    const std::uint64_t mappings = shared_.mappings();
    if (mappings > 1 && shared_.counts() <= mappings * mappings) {
      AreaTally& tally = process_->areas[shared_.tag() / 2].tally;
      (shared_.tag() % 2 != 0 ? tally.anon : tally.file).repeated += next - at;
    }
    at = next;
  }
}

void Census::see_frames(std::span<const PageRun> runs) {
  const FrameOf frame(header_);
  const std::uint64_t known_flags = header_.stable_flags ? ~std::uint64_t{0} : 0;
  AreaTally& tally = area().tally;
  const auto see = [&](const PageRun& run) -> bool {  // true if one of its frames may be new
    const std::uint64_t kind = run.flags & known_flags;
    if ((kind & kUnownedFrame) != 0) return true;
    const std::uint64_t first = frame(run.value);
    const bool is_linear = first + run.pages <= linear_frames_;
    const std::uint64_t added =
        is_linear ? frames_.insert(first, run.pages) : insert_scattered(run);
    if ((kind & PM_PAGE_HUGE) != 0)
      tally.special_first_seen += added;
    else
      ((kind & PM_PAGE_ANON) != 0 ? tally.anon : tally.file).first_seen += added;
    return added != 0;
  };
  const auto ask = [&](const PageRun& run) { frames_.prefetch(frame(run.value)); };
  if (!needs_new_frames_) return for_each_asked_ahead(runs, ask, see);
  new_frames_.resize(runs.size());
  std::size_t n = 0;
  for_each_asked_ahead(runs, ask, [&](const PageRun& run) {
    new_frames_[n] = run;
    n += see(run) ? 1 : 0;
  });
  for (Analysis* analysis : analyses_)
    analysis->on_new_frames(*process_, area(), {new_frames_.data(), n});
}

/// For runs whose frames may not be adjacent: in crafted files a run can overflow the address bits,
/// or phys_mask can have holes.
std::uint64_t Census::insert_scattered(const PageRun& run) {
  const std::uint64_t page = header_.page_size.bytes;
  std::uint64_t added = 0;
  for (std::uint64_t i = 0; i < run.pages; ++i)
    added += frames_.insert(header_.frame(run.value + i * page));
  return added;
}

void Census::on_swapped(std::span<const SwapEntry> entries) {
  if (!in_area_) return;
  area().tally.swapped += entries.size();
  area().tally.slots.add(entries);
}

void Census::on_zone(const Zone& zone) {
  finish_tasks();
  for (Analysis* analysis : analyses_) analysis->on_zone(zone);
}

/// Of all processes: which of them are selected is not known yet.
void Census::on_holder(Holder&& holder) {
  for (Analysis* analysis : analyses_) analysis->on_holder(holder);
}

void Census::on_owner(RamOwner&& owner) {
  finish_tasks();
  for (Analysis* analysis : analyses_) analysis->on_owner(owner);
}

void Census::on_ram(const RamRun& run) {
  finish_tasks();
  for (Analysis* analysis : analyses_) analysis->on_ram(run);
}

void Census::on_elided() {
  incomplete_ = in_area_;
}

/// Uses the counts of P: for pages that are not listed. They give neither anonymous pages nor the
/// number of mappings.
void Census::take_counts(Area& area) {
  const PageCounts& counts = area.counts;
  AreaTally& tally = area.tally;
  tally.swapped = std::max(tally.swapped, counts.swapped);
  // single + shared excludes the zero page, which version 2 collectors count only in user.
  const std::uint64_t in_rss =
      header_.version == 1 ? counts.user : std::min(counts.user, counts.single_use + counts.shared);
  tally.special = std::max(tally.special, counts.user - in_rss);
  if (in_rss <= tally.resident()) return;
  tally.has_unlisted = true;
  PageTally& rest = has_file(area.vma) ? tally.file : tally.anon;
  const std::uint64_t added = in_rss - tally.resident();
  const std::uint64_t single =
      std::min(added, counts.single_use - std::min(counts.single_use, tally.single()));
  rest.pages += added;
  rest.single += single;
  rest.shared += added - single;
}

/// For [vvar], whose pages have no flag that marks them as special. Newer kernels (7.3) count its
/// mappings, and so its pages are in Rss.
void Census::make_special(AreaTally& tally) {
  for (PageTally* const pages : {&tally.file, &tally.anon}) {
    const std::uint64_t counted = pages->single + pages->shared;
    tally.special += pages->pages - counted;
    pages->pages = counted;
    if (counted == 0) tally.special_first_seen += std::exchange(pages->first_seen, 0);
  }
}

void Census::finish_area() {
  if (!std::exchange(in_area_, false)) return;
  announce();
  if (incomplete_ || header_.version == 1) take_counts(area());
  area().tally.swapped += area().counts.unlisted;  // S: never lists these
  if (regions_->regions(process_->areas.size() - 1).file == Region::kSpecial)
    make_special(area().tally);
  for (Analysis* analysis : analyses_) analysis->on_area_end(*process_, area());
}

/// The stack of the first thread is the process's. Snapshots of dumps before format 2.7.0,
/// which have no boot id, may list the threads of a process in several places, so their number is
/// not known here.
void Census::limit_thread_stacks() {
  if (header_.version == 1 || (header_.collector == "crash" && header_.boot_id.empty())) return;
  std::vector<RegionMap::Marks*> marks;
  for (Area& area : process_->areas) marks.push_back(&area.marks);
  regions_->limit_thread_stacks(process_->threads - (process_->has_ended_leader ? 0 : 1), marks);
}

void Census::finish_process() {
  if (!process_) return;
  limit_thread_stacks();
  find_repeated();
  for (std::size_t i = 0; i < process_->areas.size(); ++i) {
    Area& area = process_->areas[i];
    area.regions = regions_->regions(i);
    if (area.regions.file == Region::kSpecial && area.tally.resident() != 0)
      area.regions = {Region::kLibData, Region::kLibData};
  }
  if (!process_->areas.empty()) complete_.insert(process_->task.mm);
  note_memory();
  for (Analysis* analysis : analyses_) analysis->on_process(*process_);
  no_areas_ = std::move(process_->areas);
  no_areas_.clear();
  process_.reset();
}

void Census::note_memory() {
  const std::uint64_t pid = process_->pid();
  not_found_.erase(pid);
  has_processes_ = true;
  if (process_->task.mm != 0) {
    has_address_spaces_ = true;
    bare_processes_.erase(pid);  // the leader had ended
  } else if (!only_.is_all()) {
    constexpr std::uint64_t kKthreadd = 2;  // the parent of all kernel threads, kernel/kthread.c
    const auto& identity = process_->task.identity;
    bare_processes_[pid] = {process_->task.comm,
                            pid == kKthreadd || (identity && identity->ppid == kKthreadd)};
  }
}

/// The last process ends with the records of RAM, or with the snapshot.
void Census::finish_tasks() {
  finish_area();
  finish_process();
}

void Census::on_end(const SnapshotEnd&) {
  finish_tasks();
  for (Analysis* analysis : analyses_) analysis->on_end();
}

}  // namespace physmem
