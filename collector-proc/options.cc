// SPDX-License-Identifier: MIT
#include "collector-proc/options.h"

#include <getopt.h>

#include "collector-proc/duration.h"
#include "collector-proc/text_cursor.h"
#include "program/option_value.h"
#include "program/refused_option.h"

namespace physmem::collect {
namespace {

/// 10 ms: even snapshots of tasks only take milliseconds.
constexpr std::uint64_t kMinInterval = kSecondNs / 100;

constexpr std::uint64_t kMaxJobs = 1024;

constexpr const char* kHelp =
    R"(physmem-collect: record where each page of each task is in physical memory

USAGE
  physmem-collect [OPTION]...

OPTIONS
  -o, --output FILE  write the snapshot to FILE, which appears when it is complete. A new FILE is
                     readable by its owner only, an existing one keeps its mode. A name ending in
                     .zst is compressed [default: -, standard output]
      --compact      write the compact form: 1 or 2 bytes per page instead of 40 (5 if no pages are
                     contiguous). physmem-analyze and the other programs read it like text;
                     physmem-convert converts it to the same text, byte for byte [default: text,
                     unless FILE ends in .pmc or .pmc.zst]
      --pid LIST     only these processes, ids separated by commas; the id of a thread selects its
                     process [default: all]
      --root DIR     read this /proc tree [default: /proc]
      --no-pages     write tasks, areas and page counts, but no lines for pages
                     [default: with pages]
      --no-areas     write tasks and counters only: fault counts and CPU times; takes milliseconds
                     and does not require root [default: with areas]
      --allow-missing  exit with 0 even if processes could not be read or frame numbers are hidden;
                     what is missing is still printed [default: exit with 5]
  -j, --jobs N       walk N processes in parallel, 1 to 1024; the snapshot is the same. Uses one CPU
                     by default so that the workload is not disturbed [default: 1]
  -h, --help         print this page
      --version      print the version

A SERIES
      --every TIME   take a snapshot every TIME (500ms, 5s, 1m, 1h, or a number of seconds; at least
                     10ms), from start to start, all in one output, until ^C [default: one snapshot]
      --count N      end after N snapshots; requires --every [default: until ^C]

  Each snapshot is written to standard output when it is complete. A FILE appears when the series
  ends. After ^C, SIGTERM, an error or on a full disk it has the snapshots completed by then.
  If a snapshot takes longer than TIME, the snapshots due in the meantime are skipped and counted.

EXAMPLES
  the whole system:
    sudo physmem-collect -o today.txt.zst
  the same in a twentieth of the space:
    sudo physmem-collect -o today.pmc
  two processes, analysed at once:
    sudo physmem-collect --pid 1,4711 | physmem-analyze -
  without root: your own processes, counts only:
    physmem-collect --no-pages
  a snapshot of all tasks every second, analysed as it arrives:
    physmem-collect --no-areas --every 1s | physmem-analyze -
  a day:
    sudo physmem-collect --every 5m --count 288 -o day.txt.zst
  a large machine with idle CPUs:
    sudo physmem-collect -j 8 -o today.txt.zst

EXIT STATUS
  0 done   2 wrong usage   3 malformed /proc data   4 input/output error (or closed pipe)
  5 done, but data was missing (see the message and the note.* counters of the snapshot; 0 with
  --allow-missing), or a signal ended the series before N snapshots
)";

enum LongOption {
  kPid = 256,
  kAllowMissing,
  kCompact,
  kRoot,
  kNoPages,
  kNoAreas,
  kEvery,
  kCount,
  kVersion
};

constexpr option kOptions[] = {
    {"output", required_argument, nullptr, 'o'},
    {"pid", required_argument, nullptr, kPid},
    {"compact", no_argument, nullptr, kCompact},
    {"root", required_argument, nullptr, kRoot},
    {"no-pages", no_argument, nullptr, kNoPages},
    {"no-areas", no_argument, nullptr, kNoAreas},
    {"every", required_argument, nullptr, kEvery},
    {"count", required_argument, nullptr, kCount},
    {"allow-missing", no_argument, nullptr, kAllowMissing},
    {"jobs", required_argument, nullptr, 'j'},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, kVersion},
    {nullptr, 0, nullptr, 0},
};

Error wrong_usage(const std::string& what) {
  return {ExitStatus::kUsage, what + " (physmem-collect --help lists all options)"};
}

Status set_pids(const std::string& list, std::vector<Pid>& into) {
  const auto pids = parse_pids(list);
  if (!pids) return wrong_usage(wrong_value("--pid", list, kPidsForm));
  into.insert(into.end(), pids->begin(), pids->end());
  return Done{};
}

Status parse_every(const std::string& text, Pace& pace) {
  const auto interval = parse_duration(text);
  if (!interval || *interval < kMinInterval)
    return wrong_usage(
        wrong_value("--every", text, "a time of at least 10ms, such as 500ms, 5s, 1m or 5"));
  pace.interval_ns = *interval;
  return Done{};
}

Status parse_count(const std::string& text, Pace& pace) {
  TextCursor cursor(text);
  const auto count = cursor.number();
  if (!count || *count == 0 || !cursor.at_end())
    return wrong_usage(wrong_value("--count", text, "a number of snapshots, 1 or more"));
  pace.count = *count;
  return Done{};
}

Status parse_jobs(const std::string& text, std::size_t& into) {
  TextCursor cursor(text);
  const auto jobs = cursor.number();
  if (!jobs || *jobs == 0 || *jobs > kMaxJobs || !cursor.at_end())
    return wrong_usage(
        wrong_value("--jobs", text, "a number from 1 to " + std::to_string(kMaxJobs)));
  into = static_cast<std::size_t>(*jobs);
  return Done{};
}

/// Checks --every and --count together. given: whether --count was given.
Status check_pace(Pace& pace, bool given) {
  if (pace.interval_ns != 0 && !given) pace.count = 0;
  if (pace.interval_ns == 0 && given)
    return wrong_usage("--count: only with --every TIME, the time between two snapshots");
  return Done{};
}

bool is_compact_name(const std::string& name) {
  return name.ends_with(".pmc") || name.ends_with(".pmc.zst");
}

Status apply(int option, const char* value, Options& options) {
  switch (option) {
    case 'o':
      options.output = value;
      return Done{};
    case kPid:
      return set_pids(value, options.scope.pids);
    case kCompact:
      options.form = SnapshotForm::kCompact;
      return Done{};
    case kRoot:
      options.root = value;
      return Done{};
    case kNoPages:
      options.scope.with_pages = false;
      return Done{};
    case kNoAreas:
      options.scope.with_areas = false;
      return Done{};
    case kAllowMissing:
      options.allows_missing = true;
      return Done{};
    case kEvery:
      return parse_every(value, options.pace);
    case kCount:
      return parse_count(value, options.pace);
    case 'j':
      return parse_jobs(value, options.jobs);
    case 'h':
      options.message = kHelp;
      return Done{};
    case kVersion:
      options.message = "physmem-collect " PHYSMEM_VERSION "\n";
      return Done{};
    default:
      return wrong_usage("wrong option");
  }
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  Options options;
  bool has_count = false;
  opterr = 0;
  optind = 0;  // resets getopt_long(): tests parse more than once
  for (;;) {
    const int option = ::getopt_long(argc, argv, ":o:j:h", kOptions, nullptr);
    if (option < 0) break;
    if (option == '?') return wrong_usage("unknown option " + refused_option(argv));
    if (option == ':') return wrong_usage("option " + refused_option(argv) + " requires a value");
    has_count = has_count || option == kCount;
    if (const Status status = apply(option, optarg, options); !status) return status.error();
    if (!options.message.empty()) return options;
  }
  if (optind < argc)
    return wrong_usage("found " + quoted(argv[optind]) + ", expected options only");
  if (const Status status = check_pace(options.pace, has_count); !status) return status.error();
  if (!foreign_ending(options.output).empty())
    return wrong_usage(wrong_value("--output", options.output, kSnapshotNames));
  if (is_compact_name(options.output)) options.form = SnapshotForm::kCompact;
  return options;
}

}  // namespace physmem::collect
