// SPDX-License-Identifier: MIT
#include "collector-proc/collect.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "collector-proc/address_spaces.h"
#include "collector-proc/build.h"
#include "collector-proc/count_kind.h"
#include "collector-proc/counters_reader.h"
#include "collector-proc/files/cached_files.h"
#include "collector-proc/files/held_files.h"
#include "collector-proc/frame_source.h"
#include "collector-proc/frame_table.h"
#include "collector-proc/module_snapshot.h"
#include "collector-proc/process_walk.h"
#include "collector-proc/process_witness.h"
#include "collector-proc/ram/ram_section.h"
#include "collector-proc/snapshot_writer.h"
#include "collector-proc/text_cursor.h"
#include "collector-proc/walk_pool.h"
#include "formats/emit/flags.h"
#include "program/signals.h"

namespace physmem::collect {
namespace {

/// What the snapshot has cost so far.
std::vector<Counter> cost_since(const Machine& start) {
  constexpr std::uint64_t kNsOfUs = 1000;
  if (!start.cpu_ns) return {};
  return {{"collect.wall_us", (uptime_ns() - start.uptime_ns) / kNsOfUs},
          {"collect.cpu_us", (cpu_time_ns() - *start.cpu_ns) / kNsOfUs}};
}

}  // namespace

/// The walk over all tasks. The second group of members belongs to the current snapshot.
class Collector::Walk {
 public:
  Walk(const ProcTree& tree, Scope scope, std::size_t jobs)
      : tree_(tree),
        scope_(std::move(scope)),
        jobs_(scope_.with_areas && !scope_.with_witnesses ? jobs : 1) {}

  Machine machine() const { return machine_of(tree_); }
  Result<Losses> run(const Machine& machine, Output& output, Progress& progress);

 private:
  void begin(const Machine& machine, Output& output);
  Result<Losses> take(Progress& progress);
  void release();
  Status prepare(const std::vector<Pid>& pids);
  void open_frames(const std::vector<Pid>& pids, std::uint64_t ram_pages);
  FrameTable::Use use_of_table(const std::vector<Pid>& pids, std::uint64_t ram_pages) const;
  Status open_ram();
  Status open_kernel();
  void write_header(std::uint64_t ram_pages);
  Result<std::vector<Pid>> selected_processes();
  Status write_holders(const std::vector<Pid>& pids);
  Status write_processes(const std::vector<Pid>& pids, Progress& progress);
  Result<bool> write_side_by_side(const std::vector<Pid>& pids, Progress& progress);
  void write_sizes(Pid pid);
  Status write_by_kernel(const std::vector<Pid>& pids, Progress& progress);
  bool finds_files() const;
  Result<std::uint64_t> write_files();
  Status write_ram();
  Status go_on();
  Status write_one_by_one(const std::vector<Pid>& pids, Progress& progress);

  const ProcTree& tree_;
  const Scope scope_;
  // 1 if only tasks are read: one reader caches their users. 1 with witnesses: the frames of each
  // process are read again.
  const std::size_t jobs_;
  SnapshotWriter writer_;
  ProcessWalk walk_{tree_, scope_};
  std::vector<Pid> named_;                 // processes of the scope's ids, once resolved
  std::string count_kind_;                 // cached: finding out takes longer than a small snapshot
  std::unique_ptr<RunningKernel> kernel_;  // between two snapshots

  Machine machine_;
  Output* output_ = nullptr;
  std::vector<Counter> counters_;
  std::optional<RamSection> ram_;  // absent: neither RAM nor the kernel's memory is requested
  Source source_ = Source::kProc, ram_by_ = Source::kNone;  // of processes, of frames
  std::optional<FrameTable> table_;  // absent: frame numbers are hidden or not requested
  SnapshotFrame frame_;
  Losses losses_;
  pm_end written_by_others_{};
};

void Collector::Walk::begin(const Machine& machine, Output& output) {
  machine_ = machine;
  output_ = &output;
  losses_ = {};
  written_by_others_ = {};
  frame_ = {};
  frame_.page_size = machine.page_size;
  writer_.begin(output);
}

void Collector::Walk::release() {
  walk_.release();
  table_.reset();
  // Opening it takes longer than many a snapshot. With the frames of RAM it has names of functions,
  // which change with the loaded modules.
  if (ram_ && scope_.ram != Scope::Ram::kFrames) kernel_ = ram_->take_kernel();
  ram_.reset();
}

Status Collector::Walk::prepare(const std::vector<Pid>& pids) {
  counters_ = read_counters(tree_);
  if (machine_.lost) counters_.push_back({"collect.lost", *machine_.lost});
  if (tree_.is_live()) counters_.push_back({"collect.pid", static_cast<Pid>(::getpid())});
  frame_.stalled_us = find_counter(counters_, "psi.memory.some_us");
  const auto ram_kb = find_counter(counters_, "mem.MemTotal_kB");
  if (!ram_kb)
    return bad_input(tree_.path("meminfo") + " has no line MemTotal: this is not a /proc tree");
  const std::uint64_t ram_pages = *ram_kb * 1024 / machine_.page_size;
  source_ = Source::kProc;
  if (scope_.source != Source::kProc || scope_.ram != Scope::Ram::kNone)
    if (Status status = open_ram(); !status) return status;
  if (scope_.with_areas && source_ == Source::kProc) open_frames(pids, ram_pages);
  write_header(ram_pages);
  return {};
}

// Frames may be anywhere in RAM. A small page of the table has 512 of them, so n frames touch at
// most n small pages. With huge pages the table takes a 512th of RAM. Small pages need less only if
// the processes have less memory than that.
FrameTable::Use Collector::Walk::use_of_table(const std::vector<Pid>& pids,
                                              std::uint64_t ram_pages) const {
  if (scope_.pids.empty()) return FrameTable::Use::kManyFrames;
  std::uint64_t resident = 0;
  for (const Pid pid : pids) resident += collect::resident_pages(tree_, pid);
  return resident < ram_pages / 512 ? FrameTable::Use::kFewFrames : FrameTable::Use::kManyFrames;
}

void Collector::Walk::open_frames(const std::vector<Pid>& pids, std::uint64_t ram_pages) {
  FrameFiles files = open_frame_files(tree_, machine_.page_size);
  losses_.frames_hidden = !files.are_visible;
  losses_.frames_missing = files.are_missing;
  if (!files.are_visible) return;
  ReadBuffer swaps;
  const bool has_swaps = read_at(tree_.fd(), "swaps", swaps) == Access::kRead;
  losses_.ksm_unknown = files.is_ksm_flag_valid ? 0 : 1;
  table_.emplace(std::move(files.kpagecount), std::move(files.kpageflags),
                 files.is_ksm_flag_valid ? ~std::uint64_t{0} : ~std::uint64_t{PM_PAGE_KSM},
                 use_of_table(pids, ram_pages), jobs_ > 1);
  frame_.swap_devices = has_swaps ? count_swap_devices(swaps.text()) : 0;
  frame_.is_swap_in_use =
      find_counter(counters_, "mem.SwapFree_kB") != find_counter(counters_, "mem.SwapTotal_kB");
  frame_.frames = &*table_;
}

// The kernel's memory shows more; /proc works on more kernels.
Status Collector::Walk::open_kernel() {
  const bool with_frames = scope_.ram == Scope::Ram::kFrames;
  const Source frames = with_frames ? scope_.ram_source : Source::kNone;
  const Source required = is_kernel_memory(scope_.source) ? scope_.source : frames;
  if (ram_->use_kernel(std::move(kernel_))) return {};
  if (is_kernel_memory(required)) return ram_->open_kernel(required, with_frames);
  if (scope_.source != Source::kAuto && frames != Source::kAuto) return {};
  for (const Source by : {Source::kBpf, Source::kKcore})
    if (ram_->open_kernel(by, with_frames)) break;
  return {};
}

Status Collector::Walk::open_ram() {
  ram_.emplace(tree_, scope_.sys_root, machine_.page_size);
  if constexpr (!kIsSmall) {
    if (Status status = open_kernel(); !status) return status;
    if (scope_.source != Source::kProc && ram_->kernel() != nullptr)
      source_ = ram_->kernel()->source();
  }
  if (scope_.ram != Scope::Ram::kFrames) return {};
  ram_by_ = ram_->source(scope_.ram_source != Source::kProc);
  losses_.ram_hidden = ram_by_ == Source::kNone;
  if constexpr (!kIsSmall)
    losses_.symbols_hidden = is_kernel_memory(ram_by_) && !ram_->kernel()->has_symbols();
  return {};
}

void Collector::Walk::write_header(std::uint64_t ram_pages) {
  if (scope_.with_areas && !is_kernel_memory(source_) && count_kind_.empty())
    count_kind_ = count_kind(tree_, machine_.kernel);
  pm_header header = header_of(machine_);
  header.ram_pages = ram_pages;
  if (table_ && scope_.with_pages) header.pages = "all";
  if (scope_.with_areas) {
    header.areas = nullptr;
    header.count = count_kind_.c_str();
    header.pfn = table_ ? "shown" : "hidden";
  }
  if (is_kernel_memory(source_)) {
    header.collector = word_of(source_);
    header.pte = header.prot = "raw";
    header.count = "mapcount";
    header.pfn = "shown";
    header.pages = scope_.with_pages ? "all" : "none";
    header.phys_mask = ram_->kernel()->phys_mask();
  }
  if (scope_.ram != Scope::Ram::kNone) {
    header.ram = ram_by_ == Source::kNone ? "totals" : "all";
    header.ram_by = word_of(ram_by_ == Source::kNone ? Source::kProc : ram_by_);
  }
  header.files = !scope_.cached.empty() ? "named" : finds_files() ? "open" : nullptr;
  writer_.header(header);
  writer_.counters(counters_);
  if (scope_.ram != Scope::Ram::kNone) ram_->write_places(writer_);
}

Result<std::vector<Pid>> Collector::Walk::selected_processes() {
  if (scope_.pids.empty()) {
    std::vector<Pid> pids;
    if (list_ids(tree_.fd(), ".", pids) != Access::kRead)
      return io_error("list " + tree_.name(), errno);
    if (pids.empty())
      return bad_input(tree_.name() + " has no processes: this is not a /proc tree");
    return pids;
  }
  if (!named_.empty()) return named_;
  std::vector<Pid> pids;
  for (const Pid id : scope_.pids) {
    const auto pid = process_of(tree_, id);
    if (!pid)
      return Error{Error::Kind::kIo, "there is no process or thread " + std::to_string(id) +
                                         " in " + tree_.name() +
                                         "; --pid requires ids of running ones"};
    pids.push_back(*pid);
  }
  std::sort(pids.begin(), pids.end());
  pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
  return named_ = std::move(pids);
}

Result<Losses> Collector::Walk::run(const Machine& machine, Output& output, Progress& progress) {
  if constexpr (!kIsSmall) {
    if (scope_.source == Source::kKmod) {
      const bool with_ram = scope_.ram == Scope::Ram::kFrames;
      const Status status = copy_module_snapshot(kModuleDevices, with_ram, machine, output);
      return status ? Result<Losses>(Losses{}) : status.error();
    }
  }
  begin(machine, output);
  Result<Losses> losses = take(progress);
  release();
  return losses;
}

Result<Losses> Collector::Walk::take(Progress& progress) {
  const Result<std::vector<Pid>> pids = selected_processes();
  if (!pids) return pids.error();
  if (const Status ready = prepare(*pids); !ready) return ready.error();
  if (const Status status = write_holders(*pids); !status) return status.error();
  if (const Status status = write_processes(*pids, progress); !status) return status.error();
  if (const Status status = write_ram(); !status) return status.error();
  writer_.counters(notes_of(losses_));
  writer_.counters(cost_since(machine_));
  writer_.end(written_by_others_);
  if (const Status status = stop_reason(writer_, *output_); !status) return status.error();
  return losses_;
}

/// Before the processes, so that a reader knows what is held when it reads their pages.
Status Collector::Walk::write_holders(const std::vector<Pid>& pids) {
  if constexpr (!kIsSmall) {
    if (!scope_.with_holders) return {};
    HeldFiles files(tree_, machine_.page_size, writer_.out());
    const Status status = files.write(pids, [this] { return go_on(); });
    if (!status) return status;
    writer_.counters(files.counters());
  }
  return {};
}

Status Collector::Walk::write_processes(const std::vector<Pid>& pids, Progress& progress) {
  if constexpr (!kIsSmall) {
    if (is_kernel_memory(source_)) return write_by_kernel(pids, progress);
    if (std::min(jobs_, pids.size()) > 1) {
      const Result<bool> is_done = write_side_by_side(pids, progress);
      if (!is_done) return is_done.error();
      if (*is_done) return {};
    }
  }
  return write_one_by_one(pids, progress);
}

// Returns false if no thread could be started.
Result<bool> Collector::Walk::write_side_by_side(const std::vector<Pid>& pids, Progress& progress) {
  WalkPool pool(tree_, scope_, frame_, pids, std::min(jobs_, pids.size()));
  if (pool.is_empty()) return false;
  writer_.flush();
  if (const Status status = stop_reason(writer_, *output_); !status) return status.error();
  if (const Status status = pool.write_to(*output_, progress); !status) return status.error();
  losses_.add(pool.finish(written_by_others_));
  return true;
}

/// What the kernel counts for a process whose areas were not read.
void Collector::Walk::write_sizes(Pid pid) {
  ReadBuffer status;
  const std::string name = std::to_string(pid);
  if (read_at(tree_.fd(), (name + "/status").c_str(), status) != Access::kRead) return;
  for (const auto& [key, counter] :
       {std::pair("VmRSS:", ".rss_kB"), std::pair("VmSwap:", ".swap_kB")})
    if (const auto kb = number_of_line(status.text(), key))
      writer_.counters({{"process." + name + counter, *kb}});
}

Status Collector::Walk::write_by_kernel(const std::vector<Pid>& pids, Progress& progress) {
  ProcessReader reader(tree_);
  Process process;
  bool has_witness = false;
  RunningKernel::Around around;
  around.before = [&](Pid pid, std::size_t done, std::size_t all) {
    progress.at(done, all);
    writer_.counters({{"at.uptime_ns", uptime_ns()}});
    has_witness =
        scope_.with_witnesses && reader.open(pid, process) == Access::kRead && process.holder != 0;
    if (has_witness)
      if (Status status = write_witness(tree_, reader, process, RollupTime::kBefore, writer_);
          !status)
        return status;
    return stop_reason(writer_, *output_);
  };
  around.after = [&](std::uint64_t poisoned, std::uint64_t migrating) {
    if (!has_witness) return Status();
    write_absent(process.pid, poisoned, migrating, writer_);
    return write_witness(tree_, reader, process, RollupTime::kAfter, writer_);
  };
  around.unread = [&](Pid pid) {
    has_witness = false;
    write_sizes(pid);
  };
  Status status =
      ram_->kernel()->write_processes(scope_, scope_.pids.empty() ? std::vector<Pid>() : pids,
                                      writer_.out(), written_by_others_, around);
  const RunningKernel::Unread unread = ram_->kernel()->unread();  // their notes are written
  losses_.space_changed = unread.spaces;
  losses_.corrupt = unread.lists;
  return status;
}

Status Collector::Walk::go_on() {
  writer_.flush();
  return stop_reason(writer_, *output_);
}

/// Whether the files of all processes are asked for their pages, as frames do not show their file.
bool Collector::Walk::finds_files() const {
  return !kIsSmall && scope_.ram == Scope::Ram::kFrames && !is_kernel_memory(ram_by_) &&
         tree_.is_live();
}

/// Returns the number of O: lines.
Result<std::uint64_t> Collector::Walk::write_files() {
  if (kIsSmall || (scope_.cached.empty() && !finds_files())) return std::uint64_t{0};
  const auto go_on = [this] { return this->go_on(); };
  CachedFiles files(tree_, machine_.page_size, writer_.out());
  if (scope_.cached.empty())
    if (Status status = files.write_open(go_on); !status) return status.error();
  for (const std::string& path : scope_.cached)
    if (Status status = files.write_named(path, go_on); !status) return status.error();
  writer_.counters(files.counters());
  return files.owners();
}

Status Collector::Walk::write_ram() {
  const auto write_files = [this] { return this->write_files(); };
  if (scope_.ram == Scope::Ram::kNone) {
    const Result<std::uint64_t> files = write_files();
    return files ? Status() : files.error();
  }
  const Status status = ram_->write(writer_, {ram_by_, scope_.with_witnesses, write_files},
                                    [this] { return go_on(); });
  return status ? stop_reason(writer_, *output_) : status;
}

Status Collector::Walk::write_one_by_one(const std::vector<Pid>& pids, Progress& progress) {
  AddressSpaces spaces;
  walk_.begin_snapshot(frame_);
  for (std::size_t i = 0; i < pids.size(); ++i) {
    progress.at(i + 1, pids.size());
    if (Status status = walk_.open(pids[i], spaces); !status) return status;
    if (Status status = walk_.write(writer_, *output_); !status) return status;
    if (Status status = stop_reason(writer_, *output_); !status) return status;
  }
  losses_.add(walk_.losses());
  return {};
}

Collector::Collector(const ProcTree& tree, Scope scope, std::size_t jobs)
    : walk_(std::make_unique<Walk>(tree, std::move(scope), jobs)) {}
Collector::~Collector() = default;

Machine Collector::machine() const {
  return walk_->machine();
}

Result<Losses> Collector::snapshot(const Machine& machine, Output& output, Progress& progress) {
  return walk_->run(machine, output, progress);
}

}  // namespace physmem::collect
