// SPDX-License-Identifier: MIT
#include "top/sample/live_source.h"

#include <algorithm>
#include <ctime>
#include <string_view>
#include <utility>

#include "analyzer/analyze/census.h"
#include "analyzer/parse/byte_source.h"
#include "analyzer/parse/snapshot_reader.h"
#include "collector-proc/count_kind.h"
#include "collector-proc/frame_source.h"
#include "collector-proc/text_cursor.h"
#include "program/duration.h"

namespace physmem::top {
namespace {

using collect::Access;
using collect::find_counter;

/// Walks that are older than this are counted in the status line.
constexpr std::uint64_t kStaleNs = 10 * kSecondNs;

std::uint64_t own_cpu_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * kSecondNs +
         static_cast<std::uint64_t>(time.tv_nsec);
}

/// "0.52 …" in hundredths.
std::optional<std::uint64_t> parse_load(std::string_view text) {
  collect::TextCursor cursor(text);
  const auto whole = cursor.number();
  if (!whole || !cursor.skip('.')) return std::nullopt;
  const auto hundredths = cursor.number();
  return hundredths ? std::optional(*whole * 100 + *hundredths) : std::nullopt;
}

std::uint64_t difference_of(std::uint64_t a, std::uint64_t b) {
  return a < b ? b - a : a - b;
}

pm_text text_of(const std::string& text) {
  return {text.data(), text.size()};
}

}  // namespace

LiveSource::LiveSource(const collect::ProcTree& tree, collect::Machine machine, Scope scope)
    : tree_(tree),
      machine_(std::move(machine)),
      waits_for_first_(scope.waits_for_first),
      scan_(tree, std::move(scope.pids)),
      walker_(tree, machine_.page_size) {
  const collect::FrameFiles files = collect::open_frame_files(tree, machine_.page_size);
  are_frames_hidden_ = !files.are_visible;
  are_frames_missing_ = files.are_missing;
  are_counts_means_ =
      !are_frames_hidden_ && collect::count_kind(tree, machine_.kernel) == "average";
}

std::string LiveSource::no_details() const {
  if (are_frames_missing_) return "/proc has no kpagecount and kpageflags";
  return are_frames_hidden_ ? "the kernel shows page frames to root only" : "";
}

void LiveSource::request_details(std::uint64_t pid, std::uint64_t /*round*/) {
  if (!are_frames_hidden_) walker_.request({}, pid);
}

Result<Round> LiveSource::next(std::uint64_t time_ns, std::uint64_t uptime_ns) {
  machine_.time_ns = time_ns;
  machine_.uptime_ns = uptime_ns;
  counters_ = collect::read_counters(tree_);
  if (!find_counter(counters_, "mem.MemTotal_kB"))
    return bad_input(tree_.path("meminfo") + " has no line MemTotal: this is not a /proc tree");
  add_load();
  auto scanned = scan_.scan(uptime_ns, swap_activity());
  if (!scanned) return scanned.error();
  const std::vector<ScannedProcess>& processes = **scanned;
  take_walks();
  forget_ended(processes);
  if (!are_frames_hidden_) request_walks(processes, uptime_ns);
  write(processes);
  const auto source = text_source(text_.text());
  SnapshotReader reader(*source, "sample", {});
  Census census({&fold_});
  const auto found = reader.next(census);
  if (!found) return bad_input(found.error().text);
  Round round = fold_.round();
  round.walks = walk_state(processes, uptime_ns);
  return round;
}

void LiveSource::add_load() {
  collect::ReadBuffer buffer;
  if (collect::read_at(tree_.fd(), "loadavg", buffer) != Access::kRead) return;
  if (const auto load = parse_load(buffer.text())) counters_.push_back({"load.1m_centi", *load});
}

SwapActivity LiveSource::swap_activity() {
  const auto total = find_counter(counters_, "mem.SwapTotal_kB");
  if (total && total == find_counter(counters_, "mem.SwapFree_kB")) return SwapActivity::kUnused;
  const std::uint64_t swapped = find_counter(counters_, "vm.pswpin").value_or(0) +
                                find_counter(counters_, "vm.pswpout").value_or(0);
  const bool is_quiet = std::exchange(swapped_, swapped) == swapped && sequence_ != 0;
  return is_quiet ? SwapActivity::kQuiet : SwapActivity::kActive;
}

std::shared_ptr<const Details> LiveSource::details() {
  take_walks();
  return details_;
}

void LiveSource::take_walks() {
  WalkedBatch batch = walker_.take();
  cost_.add_measurement(batch.processes.size(), batch.pages, batch.cpu_ns);
  budget_.spend(batch.cpu_ns);
  for (WalkedProcess& walked : batch.processes) {
    if (walked.details) details_ = std::move(walked.details);
    const auto last = walks_.find(walked.pid);
    if (last == walks_.end()) continue;
    last->second.read_at_ns = walked.read_at_ns;
    last->second.is_denied = walked.is_denied;
    const bool is_same = last->second.start_time == walked.start_time;
    last->second.sizes = is_same ? walked.sizes : std::nullopt;
  }
}

void LiveSource::forget_ended(const std::vector<ScannedProcess>& processes) {
  const auto is_running = [&](const auto& entry) {
    const auto found = std::partition_point(
        processes.begin(), processes.end(),
        [&](const ScannedProcess& process) { return process.pid < entry.first; });
    return found != processes.end() && found->pid == entry.first &&
           found->stat.start_time == entry.second.start_time;
  };
  std::erase_if(walks_, [&](const auto& entry) { return !is_running(entry); });
}

std::uint64_t LiveSource::changes_since(const LastWalk& walk, const ScannedProcess& process) const {
  return difference_of(walk.faults, process.faults()) + difference_of(walk.rss, process.stat.rss);
}

std::vector<WalkCandidate> LiveSource::candidates(const std::vector<ScannedProcess>& processes,
                                                  std::uint64_t uptime_ns) const {
  std::vector<WalkCandidate> candidates;
  for (const ScannedProcess& process : processes) {
    WalkCandidate candidate{process.pid, process.stat.rss};
    const auto walk = walks_.find(process.pid);
    if (walk != walks_.end()) {
      candidate.changes = changes_since(walk->second, process);
      candidate.age_ns = uptime_ns - std::min(uptime_ns, walk->second.read_at_ns);
    }
    candidates.push_back(candidate);
  }
  return candidates;
}

void LiveSource::request_walks(const std::vector<ScannedProcess>& processes,
                               std::uint64_t uptime_ns) {
  constexpr std::int64_t kUnlimited = std::int64_t{1} << 60;
  if (!walker_.is_idle()) return;
  const bool reads_all = waits_for_first_ && sequence_ == 0;
  const std::vector<WalkCandidate> all = candidates(processes, uptime_ns);
  budget_.add_time(sequence_ == 0 ? 0 : uptime_ns - last_uptime_ns_);
  last_uptime_ns_ = uptime_ns;
  const auto chosen = plan_walks(all, reads_all ? kUnlimited : budget_.left_ns(), cost_);
  for (const collect::Pid pid : chosen) {
    const auto process =
        std::partition_point(processes.begin(), processes.end(),
                             [=](const ScannedProcess& candidate) { return candidate.pid < pid; });
    LastWalk& walk = walks_[pid];
    walk.start_time = process->stat.start_time;
    walk.read_at_ns = uptime_ns;
    walk.faults = process->faults();
    walk.rss = process->stat.rss;
  }
  const auto is_unread = [](const WalkCandidate& candidate) { return !candidate.age_ns; };
  const auto unread = static_cast<std::size_t>(std::ranges::count_if(all, is_unread));
  budget_.take_plan(unread, chosen.size());
  walker_.request(chosen, std::nullopt);
  if (!reads_all) return;
  walker_.wait_until_idle();
  take_walks();
}

void LiveSource::write_header() {
  machine_.sequence = sequence_++;
  pm_header header = collect::header_of(machine_);
  header.ram_pages =
      find_counter(counters_, "mem.MemTotal_kB").value_or(0) * 1024 / machine_.page_size;
  writer_.header(header);
}

void LiveSource::write(const std::vector<ScannedProcess>& processes) {
  text_.clear();
  writer_.begin(text_);
  write_header();
  writer_.counters(counters_);
  groups_.begin_snapshot(find_counter(counters_, "psi.memory.some_us"));
  for (const ScannedProcess& process : processes) write_process(process);
  writer_.end();
}

/// A process that has grown between the scan and a later walk has at least the pages of that.
std::uint64_t LiveSource::rss_kib(const ScannedProcess& process) const {
  const std::uint64_t scanned = process.stat.rss * machine_.page_size / 1024;
  const auto walk = walks_.find(process.pid);
  const bool has_later =
      walk != walks_.end() && walk->second.sizes && walk->second.read_at_ns > process.read_at_ns;
  return has_later ? std::max(scanned, walk->second.sizes->rss_kib) : scanned;
}

void LiveSource::write_process(const ScannedProcess& process) {
  const std::string prefix = "process." + std::to_string(process.pid) + ".";
  const auto walk = walks_.find(process.pid);
  std::vector<collect::Counter> counters{{"at.uptime_ns", process.read_at_ns},
                                         {prefix + "rss_kB", rss_kib(process)}};
  if (process.swap_kb) counters.push_back({prefix + "swap_kB", *process.swap_kb});
  if (tree_.is_live())
    for (collect::Counter& counter : groups_.first(process.cgroup))
      counters.push_back(std::move(counter));
  if (walk != walks_.end() && walk->second.sizes) {
    counters.push_back({prefix + "uss_kB", walk->second.sizes->uss_kib});
    counters.push_back({prefix + "pss_kB", walk->second.sizes->pss_kib});
  }
  writer_.counters(counters);
  const collect::TaskStat& stat = process.stat;
  pm_task task{};
  task.comm = text_of(stat.comm);
  task.pid = task.tgid = task.mm = process.pid;
  task.cpu = stat.cpu;
  task.min_flt = task.group_min_flt = stat.min_flt;
  task.maj_flt = task.group_maj_flt = stat.maj_flt;
  task.cmin_flt = stat.cmin_flt;
  task.cmaj_flt = stat.cmaj_flt;
  task.utime = task.group_utime = stat.utime;
  task.stime = task.group_stime = stat.stime;
  task.start_time = stat.start_time;
  task.ppid = stat.ppid;
  task.uid = process.uid;
  task.is_leader = true;
  task.cgroup = text_of(process.cgroup);
  writer_.task(task);
}

WalkState LiveSource::walk_state(const std::vector<ScannedProcess>& processes,
                                 std::uint64_t uptime_ns) {
  WalkState state;
  state.are_frames_hidden = are_frames_hidden_;
  state.are_frames_missing = are_frames_missing_;
  state.are_counts_means = are_counts_means_;
  state.processes = processes.size();
  for (const ScannedProcess& process : processes) {
    const auto walk = walks_.find(process.pid);
    const bool has_sizes = walk != walks_.end() && walk->second.sizes;
    const bool is_denied = walk != walks_.end() && walk->second.is_denied;
    if (is_denied) ++state.denied;
    if (!has_sizes && !is_denied) ++state.unread;
    if (has_sizes && walk->second.read_at_ns + kStaleNs < uptime_ns &&
        changes_since(walk->second, process) != 0)
      ++state.stale;
  }
  own_cost_.add(uptime_ns, own_cpu_ns());
  state.cost = own_cost_.share();
  return state;
}

}  // namespace physmem::top
