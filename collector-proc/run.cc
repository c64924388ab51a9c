// SPDX-License-Identifier: MIT
#include "collector-proc/run.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "collector-proc/metrics_child.h"
#include "collector-proc/series.h"
#include "formats/output/open_output.h"
#include "program/duration.h"
#include "program/failure.h"
#include "program/missing_option.h"
#include "program/printable.h"
#include "program/signals.h"
#include "program/standard_descriptors.h"

namespace physmem::collect {
namespace {

constexpr const char* kHowToSee =
    "run it as root (sudo), or give the right to the members of a group, and to no other user: "
    "chgrp GROUP physmem-collect && chmod 0750 physmem-collect && "
    "setcap cap_sys_admin,cap_sys_ptrace,cap_dac_read_search,cap_syslog+ep physmem-collect";

void report(const std::string& sentence) {
  std::fputs(message_line("physmem-collect", sentence).c_str(), stderr);
}

std::string count_of(std::uint64_t n, const char* thing, const char* plural) {
  return std::to_string(n) + " " + (n == 1 ? thing : plural);
}

// Prints one sentence: what is missing and how to get it.
void report_losses(const Losses& losses) {
  // A container or a security module may restrict even root.
  const std::string advice =
      ::geteuid() == 0 ? "root is not sufficient: run it outside of containers" : kHowToSee;
  const std::uint64_t n = losses.hidden_from_user();
  const bool is_one = n == 1 && losses.areas_hidden == 1 && losses.hidden.size() == 1;
  const bool has_one_sentence = is_one && !losses.frames_hidden;
  for (const std::string& line : hidden_lines(losses))
    report(has_one_sentence ? line + "; " + advice : line);
  if (has_one_sentence) return;
  const std::string hidden = count_of(n, "process", "processes");
  if (losses.frames_missing)
    report(
        "/proc shows no pages (no CONFIG_PROC_PAGE_MONITOR, or a mount with subset=pid): only "
        "counts");
  else if (losses.frames_hidden)
    report(
        "the kernel hides frame numbers (no CAP_SYS_ADMIN): the snapshot has page counts instead "
        "of pages" +
        (n > 0 ? ", and lacks the areas of " + hidden : std::string()) + "; " + advice);
  else if (n > 0)
    report("no permission to read " + hidden + ": their areas are missing; " + advice);
  else if (losses.frame_missing > 0)
    report(count_of(losses.frame_missing, "page was", "pages were") +
           " omitted, because the frame number is hidden; " + advice);
}

/// What changed while it was read.
void report_changed(const Losses& losses) {
  if (losses.space_changed > 0)
    report(count_of(losses.space_changed, "process", "processes") +
           " changed at each try to read it: its RSS and swap are known, and some areas");
  if (losses.corrupt > 0)
    report(count_of(losses.corrupt, "list", "lists") +
           " of the kernel made no sense: what follows there is missing");
}

/// What of --ram is missing.
void report_hidden_ram(const Losses& losses) {
  if (losses.symbols_hidden)
    report(
        "--ram: /proc/kallsyms hides addresses (no CAP_SYSLOG): the kernel's own memory has fewer "
        "owners");
  if (losses.ram_hidden)
    report(
        "--ram: the kernel hides the frames of RAM: the snapshot has only its totals, and files "
        "that processes have open or mapped; frames require root, and /proc/kpageflags");
}

bool is_terminal(const Options& options) {
  return options.metrics.empty() && (options.output.empty() || options.output == "-") &&
         ::isatty(STDOUT_FILENO) != 0;
}

// "12 snapshots", "5 of 20 snapshots".
std::string count_of_taken(const Taken& taken, const Pace& pace) {
  if (pace.count == 0) return count_of(taken.snapshots, "snapshot", "snapshots");
  return std::to_string(taken.snapshots) + " of " + count_of(pace.count, "snapshot", "snapshots");
}

void report_skipped(const Taken& taken, const Pace& pace) {
  if (taken.skipped == 0) return;
  report(count_of(taken.skipped, "snapshot was", "snapshots were") + " skipped: one took up to " +
         duration_text(taken.longest_ns) + ", longer than --interval " +
         duration_text(pace.interval_ns));
}

// Reports why a series ended early, and which part of it exists.
void report_end(const Taken& taken, const Options& options, const std::string& output) {
  const std::string& reason = taken.stopped->text;
  if (reason.empty() && !interrupted()) return;            // the reader closed its pipe
  if (reason.empty() && !options.metrics.empty()) return;  // no snapshot is kept anyway
  const std::string count = count_of_taken(taken, options.pace);
  report((reason.empty() ? "stopped by a signal" : reason) + "; " + output + " has " + count +
         ", each of them whole" + (taken.is_cut ? ", and a piece of another" : ""));
}

/// "60 KiB", "1.4 GiB".
std::string size_of_file(std::uint64_t bytes) {
  constexpr std::array<const char*, 4> kUnits{"KiB", "MiB", "GiB", "TiB"};
  std::uint64_t tenths = (bytes * 10 + 1023) / 1024;
  std::size_t unit = 0;
  for (; tenths >= 10240 && unit + 1 < kUnits.size(); ++unit) tenths /= 1024;
  const std::string number = tenths >= 100
                                 ? std::to_string(tenths / 10)
                                 : std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
  return number + " " + kUnits[unit];
}

/// For a person at a terminal, who sees nothing of the snapshot otherwise.
void report_written(const Taken& taken, const Options& options) {
  struct stat file {};
  const bool is_file = !options.output.empty() && options.output != "-" &&
                       ::stat(options.output.c_str(), &file) == 0 && S_ISREG(file.st_mode);
  if (options.is_quiet || !is_file || ::isatty(STDERR_FILENO) == 0) return;
  report("wrote " + options.output + ", " + size_of_file(static_cast<std::uint64_t>(file.st_size)) +
         (taken.snapshots == 1 ? "" : ", " + count_of(taken.snapshots, "snapshot", "snapshots")));
}

Exit status_of(const Taken& taken, const Pace& pace) {
  const Exit done = taken.losses.is_incomplete() ? exit_with_missing_data() : Exit::kDone;
  if (!taken.stopped) return done;
  if (!interrupted()) return exit_of(taken.stopped->kind);
  // A series without a count normally ends by a signal.
  return pace.count == 0 && !taken.is_cut ? done : Exit::kDataMissing;
}

Result<Exit> end_series(const Taken& taken, Output& output, const Options& options) {
  if (taken.snapshots == 0) return *taken.stopped;
  if (const int error = output.finish(); error != 0) return output_error(output, error);
  if (!taken.stopped) report_written(taken, options);
  if (!options.is_quiet) report_losses(taken.losses);
  if (!options.is_quiet) report_changed(taken.losses);
  report_hidden_ram(taken.losses);
  report_skipped(taken, options.pace);
  if (taken.stopped) report_end(taken, options, output.name());
  return status_of(taken, options.pace);
}

Exit exit_with(const Result<Exit>& status) {
  if (status) return *status;
  die_of_signal();
  return report_error(status.error());
}

// After an error the output is destroyed here without leaving a file, except for complete snapshots
// of a series.
Result<Exit> write_snapshots_to(std::unique_ptr<Output> output, const ProcTree& tree,
                                const Options& options) {
  Collector collector(tree, options.scope, options.jobs);
  Taken taken;
  {
    Progress progress(!options.is_quiet && !is_terminal(options));
    const OnFailure on_failure([&](const Error& error) {
      progress.clear();
      taken.stopped = error;
      taken.is_cut = !output->keep_whole();
      const Result<Exit> status = end_series(taken, *output, options);
      output.reset();
      return exit_with(status);
    });
    take_series(collector, options.pace, *output, progress, taken);
  }
  return end_series(taken, *output, options);
}

Result<Exit> write_snapshots(const Options& options) {
  const Result<ProcTree> tree =
      options.is_copy ? ProcTree::open(options.root) : ProcTree::open_running(options.root);
  if (!tree) return tree.error();
  if (!options.metrics.empty()) {
    const auto child = MetricsChild::start(options.metrics);
    if (!child) return child.error();
    const Result<Exit> own = write_snapshots_to((*child)->take_output(), *tree, options);
    return (*child)->end(own);
  }
  Result<std::unique_ptr<Output>> output = open_output(options.output, options.form);
  if (!output) return output.error();
  return write_snapshots_to(std::move(*output), *tree, options);
}

// The standard library throws if out of memory.
Result<Exit> write_snapshots_or_fail(const Options& options) {
  return catch_exceptions([&] { return write_snapshots(options); });
}

}  // namespace

Exit report_error(const Error& error) {
  if (!error.text.empty()) report(error.text);
  return exit_of(error.kind);
}

Exit run(const Options& options) {
  fill_standard_descriptors();
  catch_signals();
  return exit_with(write_snapshots_or_fail(options));
}

}  // namespace physmem::collect
