// SPDX-License-Identifier: MIT
#include "collector-proc/collect.h"

#include <algorithm>
#include <cerrno>
#include <optional>

#include "collector-proc/address_spaces.h"
#include "collector-proc/count_kind.h"
#include "collector-proc/counters_reader.h"
#include "collector-proc/duration.h"
#include "collector-proc/frame_cache.h"
#include "collector-proc/frame_source.h"
#include "collector-proc/page_walk.h"
#include "collector-proc/process_reader.h"
#include "collector-proc/record_of.h"
#include "collector-proc/snapshot_writer.h"
#include "formats/emit/flags.h"
#include "system/signals.h"

namespace physmem::collect {
namespace {

// PF_FORKNOEXEC: forked, no exec since. Only such a process can have the address space of another.
constexpr std::uint64_t kForkedNoExec = 0x40;

// Of the user and the control group of a task in a series without areas: reading them is more than half of its cost.
constexpr std::uint64_t kMostAge = 10 * kSecondNs;

}  // namespace

/// The walk over all tasks. What the second group of members holds is of the snapshot at hand, the third of the process.
class Collector::Walk {
 public:
  Walk(const ProcTree& tree, Scope scope) : tree_(tree), scope_(std::move(scope)) {}

  Result<Losses> run(const Machine& machine, Output& output, Progress& progress);

 private:
  void begin(const Machine& machine, Output& output);
  Result<Losses> take(Progress& progress);
  void forget();
  Status prepare();
  void open_frames();
  void write_header(std::uint64_t ram_pages);
  Result<std::vector<Pid>> wanted();
  Status process(Pid pid);
  std::uint64_t owner_of(const Process& process);
  Status find_areas(const Process& process);
  Status write_threads(const Process& process, std::uint64_t mm);
  Status write_areas();
  Status write_walked_areas();
  void write_area(const Area& area, pm_page_counts counts);
  void write_notes();
  Status stop_reason() const;

  const ProcTree& tree_;
  const Scope scope_;
  SnapshotWriter writer_;
  ProcessReader reader_{tree_};
  std::vector<Pid> named_;  // processes of the scope's ids, once they are known
  std::string count_kind_;  // once it is known: finding out takes longer than a small snapshot

  Machine machine_;
  Output* output_ = nullptr;
  AddressSpaces spaces_;
  std::vector<Counter> counters_;
  std::optional<FrameTable> table_;  // absent: frame numbers are hidden or not asked for
  std::optional<FrameCache> frames_;
  std::optional<PageWalk> walk_;
  Losses losses_;

  Process process_;
  AreaSource source_;
  bool has_areas_ = false;
  std::uint64_t read_at_ns_ = 0;
  AreaPages pages_;
};

Status Collector::Walk::stop_reason() const {
  if (interrupted()) return Error{};
  if (writer_.error() != 0) return output_error(*output_, writer_.error());
  return Done{};
}

void Collector::Walk::begin(const Machine& machine, Output& output) {
  machine_ = machine;
  output_ = &output;
  losses_ = {};
  writer_.begin(output);
  reader_.begin_snapshot(monotonic_ns(), scope_.with_areas ? 0 : kMostAge);
}

/// Between snapshots nothing is held but text buffers: no frames of old, no process that would end.
void Collector::Walk::forget() {
  spaces_ = {};
  walk_.reset();
  frames_.reset();
  table_.reset();
  process_.dir.reset();
  source_.pagemap.reset();
}

Status Collector::Walk::prepare() {
  counters_ = read_counters(tree_);
  const auto ram_kb = find_counter(counters_, "mem.MemTotal_kB");
  if (!ram_kb) return bad_input(tree_.path("meminfo") + " has no line MemTotal: this is not a /proc tree");
  if (scope_.with_areas) open_frames();
  write_header(*ram_kb * 1024 / machine_.page_size);
  return Done{};
}

void Collector::Walk::open_frames() {
  FrameFiles files = open_frame_files(tree_, machine_.page_size);
  losses_.frames_hidden = !files.are_visible;
  if (!files.are_visible) return;
  ReadBuffer swaps;
  const bool has_swaps = read_at(tree_.fd(), "swaps", swaps) == Access::kRead;
  losses_.ksm_unknown = files.tells_ksm ? 0 : 1;
  table_.emplace(std::move(files.kpagecount), std::move(files.kpageflags),
                 files.tells_ksm ? ~std::uint64_t{0} : ~std::uint64_t{PM_PAGE_KSM},
                 scope_.pids.empty() ? FrameTable::Use::kWholeSystem : FrameTable::Use::kSomeProcesses);
  frames_.emplace(*table_);
  walk_.emplace(*frames_, machine_.page_size, has_swaps ? count_swap_devices(swaps.text()) : 0,
                scope_.with_pages);
}

void Collector::Walk::write_header(std::uint64_t ram_pages) {
  if (scope_.with_areas && count_kind_.empty()) count_kind_ = count_kind(tree_, machine_.kernel);
  pm_header header{};
  header.arch = machine_.arch.c_str();
  header.kernel = machine_.kernel.c_str();
  header.collector = "proc";
  header.host = machine_.host.empty() ? nullptr : machine_.host.c_str();
  header.pte = "none";
  header.prot = "none";
  header.pages = frames_ && scope_.with_pages ? "all" : "none";
  if (scope_.with_areas) {
    header.count = count_kind_.c_str();
    header.pfn = frames_ ? "shown" : "hidden";
  } else {
    header.areas = "none";
  }
  header.page_size = machine_.page_size;
  header.time_ns = machine_.time_ns;
  header.uptime_ns = machine_.uptime_ns;
  header.hz = machine_.hz;
  header.ram_pages = ram_pages;
  header.phys_mask = ~(machine_.page_size - 1) & 0x000fffffffffffff;  // 52 bits: the most any machine has
  writer_.header(header);
  writer_.counters(counters_);
}

Result<std::vector<Pid>> Collector::Walk::wanted() {
  if (scope_.pids.empty()) {
    std::vector<Pid> pids;
    if (list_ids(tree_.fd(), ".", pids) != Access::kRead) return io_error("list " + tree_.name(), errno);
    if (pids.empty()) return bad_input(tree_.name() + " has no processes: this is not a /proc tree");
    return pids;
  }
  if (!named_.empty()) return named_;
  std::vector<Pid> pids;
  for (const Pid id : scope_.pids) {
    const auto pid = process_of(tree_, id);
    if (!pid)
      return Error{ExitStatus::kIo, "there is no process or thread " + std::to_string(id) + " in " +
                                        tree_.name() + "; --pid wants ids of running ones"};
    pids.push_back(*pid);
  }
  std::sort(pids.begin(), pids.end());
  pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
  return named_ = std::move(pids);
}

Result<Losses> Collector::Walk::run(const Machine& machine, Output& output, Progress& progress) {
  begin(machine, output);
  Result<Losses> losses = take(progress);
  forget();
  return losses;
}

Result<Losses> Collector::Walk::take(Progress& progress) {
  if (const Status ready = prepare(); !ready) return ready.error();
  const Result<std::vector<Pid>> pids = wanted();
  if (!pids) return pids.error();
  for (std::size_t i = 0; i < pids->size(); ++i) {
    progress.at(i + 1, pids->size());
    if (const Status status = process((*pids)[i]); !status) return status.error();
    if (const Status status = stop_reason(); !status) return status.error();
  }
  write_notes();
  writer_.end();
  if (const Status status = stop_reason(); !status) return status.error();
  return losses_;
}

Status Collector::Walk::process(Pid pid) {
  const Access access = reader_.open(pid, process_);
  if (access == Access::kFailed) return reader_.error();
  if (access != Access::kRead) {
    ++losses_.task_exited;
    return Done{};
  }
  read_at_ns_ = uptime_ns();
  has_areas_ = false;
  std::uint64_t mm = 0;
  if (process_.holder != 0) {
    mm = owner_of(process_);
    if (mm == pid && scope_.with_areas) {
      if (Status status = find_areas(process_); !status) return status;
    }
  }
  return write_threads(process_, mm);
}

std::uint64_t Collector::Walk::owner_of(const Process& process) {
  if (!scope_.with_areas)
    return process.pid;  // who shares matters to areas, and asking costs as much as a fifth of all
  if (tree_.is_live()) {
    if (const auto owner = spaces_.owner_of(process.holder, process.pid)) return *owner;
  }
  if ((process.holder_stat.flags & kForkedNoExec) != 0) ++losses_.sharing_unknown;
  return process.pid;
}

Status Collector::Walk::find_areas(const Process& process) {
  const Access access =
      frames_ ? reader_.areas(process, source_) : reader_.counted_areas(process, machine_.page_size, source_);
  if (access == Access::kFailed) return reader_.error();
  if (access == Access::kDenied) ++losses_.areas_hidden;
  if (access == Access::kGone) ++losses_.task_exited;
  has_areas_ = access == Access::kRead;
  if (has_areas_) mark_executable(process, source_.areas.list);
  return Done{};
}

Status Collector::Walk::write_threads(const Process& process, std::uint64_t mm) {
  Thread thread;
  for (const Pid tid : process.tids) {
    const Access access = reader_.thread(process, tid, thread);
    if (access == Access::kFailed) return reader_.error();
    if (access != Access::kRead) {
      ++losses_.task_exited;
      if (tid == process.pid) return Done{};
      continue;
    }
    if (tid == process.pid && tree_.is_live()) writer_.counters({{"at.uptime_ns", read_at_ns_}});
    writer_.task(record_of(process, thread, mm));
    if (tid != process.holder || !has_areas_) continue;
    // exec in mid-read: the areas may be those of another address space.
    if (thread.stat.start_stack != process.holder_stat.start_stack) {
      ++losses_.task_exited;
      continue;
    }
    if (Status status = write_areas(); !status) return status;
  }
  return Done{};
}

Status Collector::Walk::write_areas() {
  if (frames_) return write_walked_areas();
  const std::vector<Area>& areas = source_.areas.list.areas();
  for (std::size_t i = 0; i < areas.size(); ++i) write_area(areas[i], source_.areas.counts[i]);
  return Done{};
}

Status Collector::Walk::write_walked_areas() {
  const std::vector<Area>& areas = source_.areas.list.areas();
  walk_->begin(source_.pagemap.get(), areas, process_.holder_stat.rss);
  for (std::size_t i = 0; i < areas.size(); ++i) {
    const Access access = walk_->read(i, pages_);
    if (Status status = stop_reason(); !status) return status;
    if (access == Access::kFailed)
      return io_error("read " + tree_.path(std::to_string(process_.pid) + "/pagemap"), errno);
    if (access != Access::kRead) {
      ++losses_.task_exited;
      return Done{};
    }
    write_area(areas[i], pages_.counts);
    if (scope_.with_pages) writer_.pages(pages_, *frames_, machine_.page_size);
  }
  return Done{};
}

void Collector::Walk::write_area(const Area& area, pm_page_counts counts) {
  counts.executable = (area.flags & PM_VMA_EXEC) != 0 ? counts.user : 0;
  counts.read_only = (area.flags & PM_VMA_WRITE) == 0 ? counts.user : 0;
  writer_.area(record_of(area, counts.user * machine_.page_size), counts);
}

void Collector::Walk::write_notes() {
  if (walk_) {
    losses_.in_transit = walk_->notes().in_transit;
    losses_.frame_missing = walk_->notes().frame_missing;
    losses_.frame_unreadable = frames_->unreadable();
  }
  writer_.counters(notes_of(losses_));
}

Collector::Collector(const ProcTree& tree, Scope scope)
    : walk_(std::make_unique<Walk>(tree, std::move(scope))) {}
Collector::~Collector() = default;

Result<Losses> Collector::snapshot(const Machine& machine, Output& output, Progress& progress) {
  return walk_->run(machine, output, progress);
}

}  // namespace physmem::collect
