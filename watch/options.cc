// SPDX-License-Identifier: MIT
#include "watch/options.h"

#include <getopt.h>

#include "collector-proc/duration.h"
#include "collector-proc/text_cursor.h"
#include "program/option_value.h"
#include "program/refused_option.h"

namespace physmem::watch {
namespace {

using collect::Done;
using collect::Error;
using collect::ExitStatus;
using collect::quoted;
using collect::Result;
using collect::Status;

constexpr std::uint64_t kMinInterval = collect::kSecondNs / 10;

constexpr const char* kHelp =
    R"(physmem-watch: wait for memory pressure, then report thrashing

USAGE
  physmem-watch [OPTION]...

OPTIONS
      --json           print one JSON object per line [default: text]
      --every TIME     interval between samples under pressure (500ms, 5s, 1m or a number of
                       seconds; at least 100ms) [default: 1s]
      --trigger TEXT   "some|full STALL WINDOW", in microseconds: wake up when tasks waited for
                       memory for STALL within WINDOW [default: some 70000 1000000]. The kernel
                       accepts windows from 500000 to 10000000 and STALL up to WINDOW. Without
                       CAP_SYS_RESOURCE, windows must be multiples of 2000000: the default is then
                       some 140000 2000000, and other windows are rejected
      --service-time MS  service time of a major fault: 8 for a disk, 0.2 for an SSD, 0.02 for zram
                       [default: unknown; less than 1 ms of CPU time per fault is thrashing]
      --always         sample from the start, with or without pressure. Prints a line for each
                       sample except the first, with which the second is compared
      --samples N      end after N samples; with --always: after N lines [default: no end]
      --seconds N      end after N seconds [default: no end]
      --root DIR       read this /proc tree [default: /proc]
  -h, --help           print this page
      --version        print the version

  While it waits, it uses no CPU time: the kernel's pressure trigger (PSI) wakes it. If there is no
  trigger, it polls the counters every five seconds and reports this. A sample contains a line for
  each task and the counters of the system, as with physmem-collect --no-areas. After 15 s without
  reclaim it waits for pressure again.

  A refault is a page that is read back soon after it was evicted. The machine thrashes (level 3;
  4 severe, 5 critical) if pages are continually evicted and read back. Level 1 is reclaim without
  refaults, 2 the beginning of thrashing. R (recovering) means that pages are read back after memory
  became free again. Processes are reported with their major faults and the CPU time per fault.

  Its own memory is locked, so that it continues to work under pressure. As a service, it should
  also be killed last (OOMScoreAdjust=-900); physmem-watch.service is an example.

EXAMPLES
  sudo physmem-watch                               report events until ^C
  sudo physmem-watch --json >> /var/log/memory     the same for a program
  physmem-watch --always --samples 60              the next minute, second by second

EXIT STATUS
  0 done (also after ^C)   2 wrong usage   3 malformed /proc data   4 input/output error
)";

enum LongOption {
  kJson = 256,
  kEvery,
  kTrigger,
  kAlways,
  kSamples,
  kSeconds,
  kServiceTime,
  kRoot,
  kVersion
};

constexpr option kOptions[] = {
    {"json", no_argument, nullptr, kJson},
    {"every", required_argument, nullptr, kEvery},
    {"trigger", required_argument, nullptr, kTrigger},
    {"always", no_argument, nullptr, kAlways},
    {"samples", required_argument, nullptr, kSamples},
    {"seconds", required_argument, nullptr, kSeconds},
    {"service-time", required_argument, nullptr, kServiceTime},
    {"root", required_argument, nullptr, kRoot},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, kVersion},
    {nullptr, 0, nullptr, 0},
};

Error wrong_usage(const std::string& what) {
  return {ExitStatus::kUsage, what + " (physmem-watch --help lists all options)"};
}

Status parse_every(const std::string& text, Plan& plan) {
  const auto interval = collect::parse_duration(text);
  if (!interval || *interval < kMinInterval)
    return wrong_usage(
        wrong_value("--every", text, "a time of at least 100ms, such as 500ms, 5s, 1m or 5"));
  plan.interval_ns = *interval;
  return Done{};
}

Status parse_samples(const std::string& text, Plan& plan) {
  constexpr std::uint64_t kMax = 1'000'000'000;
  collect::TextCursor cursor(text);
  const auto number = cursor.number();
  if (!number || *number == 0 || *number > kMax || !cursor.at_end())
    return wrong_usage(wrong_value("--samples", text, "a number from 1 to 1000000000"));
  plan.max_samples = *number;
  return Done{};
}

Status parse_seconds(const std::string& text, Plan& plan) {
  const auto seconds = parse_positive(text, kMaxSeconds);
  if (!seconds) return wrong_usage(wrong_value("--seconds", text, kSecondsForm));
  plan.max_ns = static_cast<std::uint64_t>(*seconds * static_cast<double>(collect::kSecondNs));
  return Done{};
}

Status set_trigger(const std::string& text, Options& options) {
  const std::string expected = read_trigger(text, options.trigger);
  if (!expected.empty()) return wrong_usage(wrong_value("--trigger", text, expected));
  options.is_trigger_chosen = true;
  return Done{};
}

Status set_service_time(const std::string& text, ThrashLimits& limits) {
  const auto ms = parse_positive(text, kMaxServiceTimeMs);
  if (!ms) return wrong_usage(wrong_value("--service-time", text, kServiceTimeForm));
  limits = ThrashLimits::of_service_time(*ms);
  return Done{};
}

Status apply(int option, const char* value, Options& options) {
  switch (option) {
    case kJson:
      options.is_json = true;
      return Done{};
    case kEvery:
      return parse_every(value, options.plan);
    case kTrigger:
      return set_trigger(value, options);
    case kAlways:
      options.plan.is_always_awake = true;
      return Done{};
    case kSamples:
      return parse_samples(value, options.plan);
    case kSeconds:
      return parse_seconds(value, options.plan);
    case kServiceTime:
      return set_service_time(value, options.limits);
    case kRoot:
      options.root = value;
      return Done{};
    case 'h':
      options.message = kHelp;
      return Done{};
    case kVersion:
      options.message = "physmem-watch " PHYSMEM_VERSION "\n";
      return Done{};
    default:
      return wrong_usage("wrong option");
  }
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  Options options;
  opterr = 0;
  optind = 0;  // reset getopt: tests parse more than once
  for (;;) {
    const int option = ::getopt_long(argc, argv, ":h", kOptions, nullptr);
    if (option < 0) break;
    if (option == '?') return wrong_usage("unknown option " + refused_option(argv));
    if (option == ':') return wrong_usage("option " + refused_option(argv) + " requires a value");
    if (const Status status = apply(option, optarg, options); !status) return status.error();
    if (!options.message.empty()) return options;
  }
  if (optind < argc)
    return wrong_usage("found " + quoted(argv[optind]) + ", expected options only");
  return options;
}

}  // namespace physmem::watch
