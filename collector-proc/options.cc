// SPDX-License-Identifier: MIT
#include "collector-proc/options.h"

#include <array>
#include <string_view>
#include <utility>

#include "collector-proc/build.h"
#include "program/duration.h"
#include "program/missing_option.h"
#include "program/option_table.h"
#include "program/option_value.h"

namespace physmem::collect {
namespace {

/// Even snapshots of tasks only take milliseconds.
constexpr std::uint64_t kMinIntervalMs = 10;

constexpr ProgramText kProgram{"physmem-collect",
                               "record where each page of each task is in physical memory",
                               "  physmem-collect [OPTION]... [FILE]\n",
                               "",
                               R"(SERIES
  Each snapshot is written to standard output when it is complete. A FILE
  appears when the series ends. After Ctrl-C, SIGTERM, an error or on a full
  disk it has the snapshots completed by then. If a snapshot takes longer than
  TIME, the snapshots due in the meantime are skipped and counted.

EXAMPLES
  the whole system:
    sudo physmem-collect -o today.txt.zst
  without root: your own processes, counts only:
    physmem-collect --counts-only
  a snapshot of all tasks every second, analysed as it arrives:
    physmem-collect --tasks-only --interval 1s | physmem-analyze -
  the whole of RAM, not only memory of processes:
    sudo physmem-collect --ram | physmem-analyze --ask ledger
  a device without physmem, with a static collector for it:
    ssh root@DEVICE 'cat >/tmp/c && chmod 700 /tmp/c && /tmp/c --compact' \
      <physmem-collect-static >device.pmc
  metrics for node_exporter, every minute:
    sudo physmem-collect --interval 1m --metrics FOLDER/physmem.prom

EXIT STATUS
  0 done   2 wrong usage   3 malformed /proc data
  4 input/output error (or closed pipe)
  5 done, but data was missing (see the message and the note.* counters of the
  snapshot; 0 with --allow-missing), or a signal ended the series early
)" PHYSMEM_SMALL_BUILD_SECTION,
                               "physmem-analyze(1), physmem-top(1)"};

/// What the options ask for, before it is known whether they fit together.
struct ParsedOptions : Options {
  ParsedOptions() { scope.source = Source::kAuto; }
  bool has_count = false;
  bool has_ram = false;
  bool refuses_terminal = false;
};

std::string set_compact(ParsedOptions& options, const char* /*value*/) {
  options.form = SnapshotForm::kCompact;
  return {};
}

std::string set_metrics(ParsedOptions& options, const char* value) {
  options.metrics = value;
  return options.metrics.empty() ? "the name of a file" : "";
}

std::string leave_out_pages(ParsedOptions& options, const char* /*value*/) {
  options.scope.with_pages = false;
  return {};
}

std::string leave_out_areas(ParsedOptions& options, const char* /*value*/) {
  options.scope.with_areas = false;
  return {};
}

/// For tests, copy:DIR is a copy of /proc.
std::string set_root(ParsedOptions& options, const char* value) {
  constexpr std::string_view kCopy = "copy:";
  options.is_copy = std::string_view(value).starts_with(kCopy);
  options.root = value + (options.is_copy ? kCopy.size() : 0);
  return "";
}

std::string set_sys_root(ParsedOptions& options, const char* value) {
  options.scope.sys_root = value;
  return {};
}

/// kNone: it is no word of a source.
Source source_of(std::string_view word) {
  for (const Source source :
       {Source::kProc, Source::kKcore, Source::kBpf, Source::kKmod, Source::kAuto})
    if (word == word_of(source)) return source;
  return Source::kNone;
}

std::string set_ram(ParsedOptions& options, const char* value) {
  using Ram = Scope::Ram;
  const std::string_view choice(value);
  const Source source = source_of(choice);
  options.has_ram = true;
  options.scope.ram = choice == "none"     ? Ram::kNone
                      : choice == "totals" ? Ram::kTotals
                                           : Ram::kFrames;
  options.scope.ram_source = source == Source::kNone ? Source::kAuto : source;
  const bool is_word = source != Source::kNone || choice.empty() || choice == "frames" ||
                       options.scope.ram != Ram::kFrames;
  return is_word ? "" : "frames, bpf, kcore, kmod, proc, totals or none";
}

std::string add_cached(ParsedOptions& options, const char* value) {
  options.scope.cached.emplace_back(value);
  return *value == 0 ? "a file or folder" : "";
}

std::string set_source(ParsedOptions& options, const char* value) {
  options.scope.source = source_of(value);
  return options.scope.source == Source::kNone ? "auto, bpf, kcore, kmod or proc" : "";
}

std::string set_holders(ParsedOptions& options, const char* /*value*/) {
  options.scope.with_holders = true;
  return {};
}

std::string set_verify(ParsedOptions& options, const char* /*value*/) {
  options.scope.with_witnesses = true;
  return {};
}

std::string set_count(ParsedOptions& options, const char* value) {
  const auto count = number_of<std::uint64_t>(value);
  if (!count || *count == 0) return "a number of snapshots, 1 or more";
  options.pace.count = *count;
  options.has_count = true;
  return {};
}

template <auto Member>
std::string set_number(ParsedOptions& options, const char* value) {
  options.pace.*Member = number_of<std::uint64_t>(value);
  return options.pace.*Member ? "" : "a number, 0 or more";
}

const std::vector<OptionRow<ParsedOptions>> kSnapshotOptions{
    {{'o', "output", "FILE",
      "write the snapshot to FILE, which appears when it is complete. A new FILE is readable by "
      "its owner only, an existing one keeps its mode. A name ending in .zst is compressed",
      "-, standard output"},
     set_text<&Options::output>},
    {{0, "compact", nullptr,
      "write the compact form: 1 or 2 bytes per page instead of 40 (5 if no pages are contiguous). "
      "Every program reads it like text; physmem-convert restores the text, byte for byte",
      "text, unless FILE ends in .pmc or .pmc.zst"},
     set_compact},
    {{0, "metrics", "FILE.prom",
      "instead of snapshots, write metrics for Prometheus to FILE.prom, which is replaced after "
      "each snapshot: for node_exporter's textfile collector. Runs physmem-analyze --ask metrics",
      "snapshots"},
     set_metrics},
    {{0, "pid", "LIST",
      "only these processes, ids separated by commas; the id of a thread selects its process",
      "all", "1,4711"},
     add_pids<&Options::scope, &Scope::pids>},
    {{0, "root", "DIR", "read this /proc tree", "/proc"}, set_root},
    {{0, "counts-only", nullptr, "write tasks, areas and page counts, but no lines for pages",
      "with pages", nullptr, "no-pages"},
     leave_out_pages},
    {{0, "tasks-only", nullptr,
      "write tasks and counters only: fault counts and CPU times; takes milliseconds and does not "
      "require root",
      "with areas", nullptr, "no-areas"},
     leave_out_areas},
    {{0, "source", "WAY",
      "read processes by: proc, the files in /proc; bpf, the kernel's memory, copied by a BPF "
      "program; kcore, the same through /proc/kcore; auto, the first that works of bpf, kcore and "
      "proc, which the header names; kmod, a whole snapshot of the kernel module. The kernel's "
      "memory has raw page-table entries, takes no lock of the processes, and requires root and "
      "kernel types (/sys/kernel/btf/vmlinux)",
      "auto"},
     set_source},
    {{0, "ram", "[=WHAT]",
      "also describe all of RAM. WHAT: frames, the class and owner of every frame, by the first "
      "source that works (default); bpf, kcore, kmod: by this one; proc, from /proc/kpageflags, "
      "without owners except cgroups. totals: only the sums of the kernel. Frames require root",
      "only memory of processes"},
     set_ram},
    {{0, "cached", "PATH",
      "also how many pages of this file are in the page cache, or of each file below this folder, "
      "by cachestat(2) or mincore(2). May be repeated. Needs no root for files that you may write",
      "with --ram, where frames do not show their files: those that processes have open or mapped"},
     add_cached},
    {{0, "holders", nullptr,
      "also what processes hold by descriptors: shared memory, deleted files, dma-bufs"},
     set_holders},
    {{0, "verify", nullptr,
      "also what the kernel counts for each process and cgroup, before and after they are "
      "read: physmem-analyze --ask verify compares it. Takes three times as long, and --jobs has "
      "no effect. Wakes all CPUs twice, for exact totals (vm.stat_refresh). Means --ram, too",
      "without"},
     set_verify},
    {{0, "sys-root", "DIR", "read this /sys tree, for --ram", "/sys"}, set_sys_root},
    {kAllowMissingOption, allow_missing<ParsedOptions>},
    {{0, "no-terminal", nullptr, "an error if the output is a terminal", nullptr, nullptr, nullptr,
      true},
     set_true<&ParsedOptions::refuses_terminal>},
    {{'q', "quiet", nullptr,
      "no progress, and no messages about missing data, which the snapshot counts"},
     set_true<&Options::is_quiet>},
    {{'j', "jobs", "N",
      "walk N processes in parallel, 1 to 1024; the snapshot is the same. One CPU disturbs the "
      "workload least",
      "1"},
     set_jobs<&Options::jobs>}};

const std::vector<OptionRow<ParsedOptions>> kSeriesOptions{
    {{0, "interval", "TIME",
      "take a snapshot every TIME (500ms, 5s, 1m, 1h, or a number of seconds; at least 10ms), from "
      "start to start, all in one output, until Ctrl-C",
      "one snapshot", nullptr, "every"},
     set_interval<kMinIntervalMs, &Options::pace, &Pace::interval_ns>},
    {{0, "count", "N", "end after N snapshots; requires --interval", "until Ctrl-C"}, set_count},
    {{0, "sequence", "N",
      "the number of the first snapshot, which readers use to find missing ones. For programs that "
      "take single snapshots at intervals",
      "0; a single snapshot has no number"},
     set_number<&Pace::sequence>},
    {{0, "lost", "N",
      "record in the counter collect.lost that N earlier snapshots were deleted before they were "
      "uploaded",
      "no counter"},
     set_number<&Pace::lost>}};

const OptionTable<ParsedOptions> kTable(kProgram, {{"OPTIONS", kSnapshotOptions},
                                                   {"OPTIONS OF A SERIES", kSeriesOptions}});

bool is_compact_name(const std::string& name) {
  return name.ends_with(".pmc") || name.ends_with(".pmc.zst");
}

/// --verify requires every frame and every page.
std::string finish_verify(ParsedOptions& options) {
  using Ram = Scope::Ram;
  Scope& scope = options.scope;
  if (!scope.with_witnesses) return {};
  if (!options.has_ram) scope.ram = Ram::kFrames;
  const char* const other = scope.ram == Ram::kTotals ? "--ram=totals"
                            : scope.ram == Ram::kNone ? "--ram=none"
                            : !scope.with_areas       ? "--tasks-only"
                            : !scope.with_pages       ? "--counts-only"
                                                      : nullptr;
  if (other == nullptr) return {};
  return std::string("--verify: not with ") + other + ", it requires every frame and every page";
}

/// What of the options only the files of /proc show; nullptr: nothing.
const char* need_of_proc(const Scope& scope, std::size_t jobs) {
  return !scope.with_areas ? "--tasks-only" : jobs > 1 ? "--jobs" : nullptr;
}

/// Whether processes and frames may be read by these. Kernel memory is opened in one way, and the
/// module writes both.
bool fit(Source processes, Source frames) {
  if (frames == Source::kAuto) return true;
  if (processes == Source::kKmod || frames == Source::kKmod) return processes == frames;
  return !is_kernel_memory(processes) || frames == processes || frames == Source::kProc;
}

std::string finish_source(Scope& scope, std::size_t jobs) {
  const char* const need = need_of_proc(scope, jobs);
  if (scope.source == Source::kAuto && scope.ram_source == Source::kKmod)
    scope.source = Source::kKmod;
  if (scope.source == Source::kAuto && (need != nullptr || kIsSmall)) scope.source = Source::kProc;
  const std::string option = std::string("--source=") + word_of(scope.source);
  if (scope.source != Source::kProc && need != nullptr) return conflicts_with(need, option);
  if (scope.source == Source::kKmod) {
    if (!scope.pids.empty()) return conflicts_with("--pid", option);
    if (scope.with_witnesses) return conflicts_with("--verify", option);
    if (!scope.with_pages) return conflicts_with("--counts-only", option);
    if (scope.ram == Scope::Ram::kTotals) return conflicts_with("--ram=totals", option);
  }
  if (fit(scope.source, scope.ram_source)) return {};
  return conflicts_with(std::string("--ram=") + word_of(scope.ram_source), option);
}

/// The option that the small build does not have; empty if it has all.
std::string_view left_out(const ParsedOptions& options) {
  if constexpr (!kIsSmall) return {};
  if (!options.metrics.empty()) return "--metrics";
  if (options.jobs > 1) return "--jobs above 1";
  if (!options.scope.cached.empty()) return "--cached";
  if (options.scope.with_holders) return "--holders";
  if (options.scope.source != Source::kProc) return "--source other than proc";
  return is_kernel_memory(options.scope.ram_source) ? "--ram other than proc and totals" : "";
}

/// Sets what follows from the options together. Returns why they do not fit together, or an empty
/// string.
std::string finish(ParsedOptions& options) {
  if (std::string error = finish_source(options.scope, options.jobs); !error.empty()) return error;
  if (const std::string_view option = left_out(options); !option.empty())
    return std::string(option) + ": not in this small build";
  const bool is_series = options.pace.interval_ns != 0;
  if (!is_series && options.has_count) return requires_option("--count", "--interval TIME");
  if (is_series && !options.has_count) options.pace.count = 0;
  if (!foreign_ending(options.output).empty())
    return wrong_value("FILE", options.output, kSnapshotNames);
  if (options.refuses_terminal && options.output.empty() && options.metrics.empty() &&
      ::isatty(STDOUT_FILENO) == 1)
    return std::string("found no FILE and a terminal as output, expected ") + kSnapshotNames;
  if (!options.metrics.empty() && !options.output.empty())
    return conflicts_with("--metrics", "--output");
  if (!options.metrics.empty() && options.form == SnapshotForm::kCompact)
    return conflicts_with("--metrics", "--compact");
  std::string error = finish_verify(options);
  if (is_compact_name(options.output)) options.form = SnapshotForm::kCompact;
  return error;
}

Result<Options> finished(ParsedOptions options, const std::vector<std::string>& operands) {
  std::vector<std::string> others = operands;
  if (!others.empty() && options.output.empty()) {
    options.output = others.front();
    others.erase(others.begin());
  }
  if (Status status = refuse_operands(kProgram, others, "only one FILE"); !status)
    return status.error();
  if (const std::string error = finish(options); !error.empty())
    return usage_error(kProgram.name, error);
  return static_cast<Options&&>(options);
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  return kTable.read(argc, argv, finished);
}

}  // namespace physmem::collect
