// SPDX-License-Identifier: MIT
#include "tools/watch/options.h"

#include "program/duration.h"
#include "program/option_table.h"
#include "program/option_value.h"

namespace physmem::watch {
namespace {

constexpr std::uint64_t kMinIntervalMs = 100;

constexpr ProgramText kProgram{
    kProgramName,
    "wait for memory pressure, then report thrashing",
    "  physmem-watch [OPTION]...\n",
    R"(While it waits, it uses no CPU time: the kernel's pressure trigger (PSI) wakes
it. If there is no trigger, it polls the counters every five seconds and
reports this. A sample contains a line for each task and the counters of the
system, as with physmem-collect --tasks-only. After 15 s without reclaim it
waits for pressure again.

A refault is a page that is read back soon after it was evicted. The machine
thrashes (level 3; 4 severe, 5 critical) if pages are continually evicted and
read back. Level 1 is reclaim without refaults, 2 the beginning of thrashing. R
(recovering) means that pages are read back after memory became free again.
Processes are reported with their major faults and the CPU time per fault.

Its own memory is locked, so that it continues to work under pressure. As a
service, it should also be killed last, as with the installed unit:
  systemctl enable --now physmem-watch
)",
    R"(EXAMPLES
  sudo physmem-watch                               report events until Ctrl-C
  sudo physmem-watch --json >> /var/log/memory     the same for a program
  physmem-watch --always --samples 60              the next minute, each second

EXIT STATUS
  0 done (also after Ctrl-C)   2 wrong usage   3 malformed /proc data
  4 input/output error
)",
    "physmem-collect(1), physmem-faults(1)"};

std::string set_trigger(Options& options, const char* value) {
  options.is_trigger_chosen = true;
  return read_trigger(value, options.trigger);
}

std::string set_service_time(Options& options, const char* value) {
  const auto ms = parse_positive(value, kMaxServiceTimeMs);
  if (!ms) return kServiceTimeForm;
  options.limits = ThrashLimits::of_service_time(*ms);
  return {};
}

std::string set_always(Options& options, const char* /*value*/) {
  options.plan.is_always_awake = true;
  return {};
}

std::string set_samples(Options& options, const char* value) {
  constexpr std::uint64_t kMax = 1'000'000'000;
  const auto samples = number_of<std::uint64_t>(value);
  if (!samples || *samples == 0 || *samples > kMax) return "a number from 1 to 1000000000";
  options.plan.max_samples = *samples;
  return {};
}

std::string set_seconds(Options& options, const char* value) {
  const auto seconds = parse_positive(value, kMaxSeconds);
  if (!seconds) return kSecondsForm;
  options.plan.max_ns = static_cast<std::uint64_t>(*seconds * static_cast<double>(kSecondNs));
  return {};
}

const std::vector<OptionRow<Options>> kOptions{
    {{0, "json", nullptr, "print one JSON object per line", "text"}, set_true<&Options::is_json>},
    {{0, "interval", "TIME",
      "interval between samples under pressure (500ms, 5s, 1m or a number of seconds; at least "
      "100ms)",
      "1s", nullptr, "every"},
     set_interval<kMinIntervalMs, &Options::plan, &Plan::interval_ns>},
    {{0, "trigger", "TEXT",
      "\"some|full STALL WINDOW\", in microseconds: wake up when tasks waited for memory for STALL "
      "within WINDOW. The kernel accepts windows from 500000 to 10000000 and STALL up to WINDOW. "
      "Without CAP_SYS_RESOURCE, windows must be multiples of 2000000: the default is then some "
      "140000 2000000, and other windows are rejected",
      "some 70000 1000000"},
     set_trigger},
    {{0, "service-time", "MS",
      "service time of a major fault: 8 for a disk, 0.2 for an SSD, 0.02 for zram",
      "unknown; less than 1 ms of CPU time per fault is thrashing"},
     set_service_time},
    {{0, "always", nullptr,
      "sample from the start, with or without pressure. Prints a line for each sample except the "
      "first, with which the second is compared"},
     set_always},
    {{0, "samples", "N", "end after N samples; with --always: after N lines", "no end"},
     set_samples},
    {{0, "duration", "SECONDS", "end after SECONDS", "no end", "60", "seconds"}, set_seconds},
    {{0, "root", "DIR", "read this /proc tree", "/proc"}, set_text<&Options::root>}};

const OptionTable<Options> kTable(kProgram, {{"OPTIONS", kOptions}});

Result<Options> finished(Options options, const std::vector<std::string>& operands) {
  if (Status status = refuse_operands(kProgram, operands); !status) return status.error();
  return options;
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  return kTable.read(argc, argv, finished);
}

}  // namespace physmem::watch
