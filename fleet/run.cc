// SPDX-License-Identifier: MIT
#include "fleet/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <utility>

#include "analyzer/shape/view.h"
#include "fleet/ask/ask_store.h"
#include "fleet/ask/removal.h"
#include "fleet/ask/too_large.h"
#include "fleet/load/archive.h"
#include "fleet/load/load_run.h"
#include "fleet/load/report_input.h"
#include "fleet/model/report.h"
#include "fleet/model/wall_clock.h"
#include "fleet/print_answer.h"
#include "fleet/rows/machine_state.h"
#include "fleet/rows/name_text.h"
#include "fleet/store/open_store.h"
#include "formats/output/open_output.h"
#include "program/command_main.h"
#include "program/duration.h"
#include "program/memory_limit.h"
#include "program/messages.h"
#include "program/missing_option.h"
#include "program/printable.h"
#include "program/progress_line.h"
#include "program/signals.h"

namespace physmem::fleet {
namespace {

Exit failed(const Error& error) {
  return report_error(std::cerr, kProgramName, error);
}

Result<std::unique_ptr<Store>> open(const Options& options, StoreAccess access) {
  return open_store(options.store, access,
                    [](const std::string& notice) { report(std::cerr, kProgramName, notice); });
}

/// Writes the reports of all inputs.
class RowsRun {
 public:
  RowsRun(const Options& options, Output& output)
      : options_(options), output_(output), settings_{.release = options.release} {}

  Status operator()() {
    if (!options_.state.empty()) {
      auto state = MachineState::read(options_.state);
      if (!state) return state.error();
      state_ = std::move(*state);
      alerts_.set(state_.machine, state_.alerts);
    }
    if (Status status = write(kRowsMagic); !status) return status;
    for (const std::string& path : options_.paths)
      if (Status status = copy(path); !status && !leaves_out(status.error())) return status;
    if (const int error = output_.mark_whole(); error != 0) return output_error(output_, error);
    if (const int error = output_.finish(); error != 0) return output_error(output_, error);
    // After the output: a report that was not written is not counted.
    if (options_.state.empty()) return {};
    state_.alerts = alerts_.of(state_.machine);
    return state_.write(options_.state);
  }
  bool data_is_missing() const { return data_is_missing_; }

 private:
  Status write(std::string_view text) {
    // Names may have C1 and directional characters, which a file keeps.
    const int error =
        output_.write(output_.is_terminal() ? lines_for_terminal(text) : std::string(text));
    has_output_failed_ = error != 0;
    return error == 0 ? Status() : output_error(output_, error);
  }

  /// Of several inputs, one that cannot be read does not end the reports of the others.
  bool leaves_out(const Error& error) {
    if (options_.paths.size() == 1 || has_output_failed_ || interrupted()) return false;
    report(std::cerr, kProgramName, error.text + "; left out");
    data_is_missing_ = true;
    return true;
  }

  Status copy(const std::string& path) {
    auto input = ReportInput::open({path}, settings_, alerts_);
    if (!input) return input.error();
    while (true) {
      auto report = (*input)->next();
      if (!report) return report.error();
      if (!*report) break;
      SnapshotLine& line = (*report)->snapshot;
      if (!options_.archive.empty()) line.archive = escaped_name(options_.archive);
      if (!options_.state.empty()) state_.number(line);
      if (Status status = write(text_of(**report)); !status) return status;
    }
    data_is_missing_ = data_is_missing_ || (*input)->data_is_missing();
    return {};
  }

  const Options& options_;
  Output& output_;
  ReportSettings settings_;
  OpenAlerts alerts_;
  MachineState state_;
  bool data_is_missing_ = false;
  bool has_output_failed_ = false;
};

Exit run_rows(const Options& options) {
  catch_signals();
  const auto output = open_output(options.output);
  if (!output) return failed(output.error());
  RowsRun run(options, **output);
  if (Status status = run(); !status) {
    die_of_signal();
    return failed(status.error());
  }
  return run.data_is_missing() ? exit_with_missing_data() : Exit::kDone;
}

/// A store must not be created for paths of which none exists.
Status check_paths(const std::vector<std::string>& paths) {
  for (const std::string& path : paths)
    if (path == "-" || ::access(path.c_str(), F_OK) == 0) return {};
  return Error{Error::Kind::kIo, paths.front() + ": cannot open: " + std::strerror(errno)};
}

/// physmem-fleet load and archive.
Exit run_load(const Options& options) {
  if (Status status = check_paths(options.paths); !status) return failed(status.error());
  catch_signals(options.follows ? SecondSignal::kIsRemembered : SecondSignal::kEndsProgram);
  auto store = open(options, StoreAccess::kCreate);
  if (!store) return failed(store.error());
  if (Status status = (*store)->create(); !status) return failed(status.error());
  const LoadSettings settings{
      .paths = options.paths,
      .reports = {.release = options.release, .is_by_folder = options.is_by_folder},
      .follows = options.follows,
      .replaces = options.replaces,
      .removes = options.removes,
      .archive = options.archive};
  const auto is_incomplete = load(**store, settings, std::cerr, kProgramName);
  if (!is_incomplete) return failed(is_incomplete.error());
  return *is_incomplete ? exit_with_missing_data() : Exit::kDone;
}

/// What the options ask for. Where there are only sums of days, a duration reaches back to
/// midnight.
Result<Asked> asked_of(const Options& options, Store& store) {
  const std::uint64_t now = seconds_now();
  const auto expired = store.expired_before();
  if (!expired) return expired.error();
  const auto at = [&](const std::optional<TimePoint>& time) -> std::optional<std::uint64_t> {
    if (!time) return std::nullopt;
    const std::uint64_t second = time->at(now);
    return time->is_ago && second < *expired ? second - second % kDay : second;
  };
  return Asked{.question = options.question,
               .now = now,
               .since = at(options.since),
               .until = at(options.until),
               .before = at(options.before),
               .hosts = options.hosts,
               .units = options.units,
               .top = options.top,
               .is_full = options.is_full,
               .has_picture = options.form == Form::kPicture,
               .archive = options.archive};
}

Exit run_ask(const Options& options) {
  auto store = open(options, StoreAccess::kRead);
  if (!store) return failed(store.error());
  const auto asked = asked_of(options, **store);
  if (!asked) return failed(asked.error());
  auto answer = fleet::answer(**store, *asked);
  if (!answer) return failed(answer.error());
  store->reset();  // writers wait for it, and a pager may read the answer for hours
  return print_answer(std::move(*answer), options, std::cerr);
}

Exit run_schema(const Options& options) {
  const auto sql = schema_of(options.store);
  return sql ? print_instead(kProgramName, *sql) : failed(sql.error());
}

/// The store first, so that it never names what has gone.
Result<std::uint64_t> expire_archive(Store& store, const std::string& folder,
                                     std::uint64_t before) {
  const std::uint64_t midnight = before - before % kDay;
  if (Status status = store.forget_kept(midnight); !status) return status.error();
  return Archive(folder).expire(midnight);
}

/// physmem-fleet rollup and expire.
Exit run_days(const Options& options) {
  catch_signals();
  const std::uint64_t now = seconds_now();
  const bool is_rollup = options.verb == Verb::kRollup;
  const std::uint64_t before = options.before ? options.before->at(now) : now;
  // All reports before the time of expiry are refused from then on.
  if (!is_rollup && before > now)
    return failed({Error::Kind::kUsage, "--before: found " + utc_text(before * kSecondNs) +
                                            ", expected a time before now"});
  auto store = open(options, StoreAccess::kWrite);
  if (!store) return failed(store.error());
  if (Status status = (*store)->create(); !status) return failed(status.error());
  const auto done = is_rollup                  ? (*store)->rollup(before)
                    : !options.archive.empty() ? expire_archive(**store, options.archive, before)
                                               : (*store)->expire(before);
  if (!done) return failed(with_largest_host(**store, {.before = before}, done.error()));
  std::string text = is_rollup ? counted(*done, "day") + " summed up"
                               : counted(*done, "snapshot") + " removed from the " +
                                     (options.archive.empty() ? "store" : "archive");
  if (interrupted()) text += ", then interrupted: the same command goes on";
  report(std::cerr, kProgramName, text);
  return interrupted() ? Exit::kDataMissing : Exit::kDone;
}

/// With progress on a terminal.
Result<bool> remove(Store& store, const Selection& selection) {
  ProgressLine line;
  store.set_progress([&](std::size_t done, std::size_t all) {
    if (line.is_due()) line.show(fmt::format("{} of {} removed", done, counted(all, "host")));
  });
  auto is_whole = store.remove(selection);
  store.set_progress({});
  return is_whole;
}

/// physmem-fleet remove.
Exit run_remove(const Options& options) {
  catch_signals();
  auto store = open(options, options.is_dry_run ? StoreAccess::kRead : StoreAccess::kWrite);
  if (!store) return failed(store.error());
  if (!options.is_dry_run)
    if (Status status = (*store)->create(); !status) return failed(status.error());
  const auto asked = asked_of(options, **store);
  if (!asked) return failed(asked.error());
  const auto removal = find_removal(**store, *asked);
  if (!removal) return failed(removal.error());
  bool is_whole = true;
  if (!options.is_dry_run && !removal->hosts.empty()) {
    const auto removed = remove(**store, removal->selection);
    if (!removed && !interrupted()) return failed(removed.error());
    is_whole = removed && *removed;
  }
  for (const std::string& line : report_of(*removal, options.is_dry_run, is_whole))
    report(std::cerr, kProgramName, line);
  return is_whole ? Exit::kDone : Exit::kDataMissing;
}

}  // namespace

Exit run(const Options& options) {
  limit_memory(kProgramName, options.max_memory);
  switch (options.verb) {
    case Verb::kRows:
      return run_rows(options);
    case Verb::kLoad:
    case Verb::kArchive:
      return run_load(options);
    case Verb::kAsk:
      return run_ask(options);
    case Verb::kSchema:
      return run_schema(options);
    case Verb::kRemove:
      return run_remove(options);
    case Verb::kRollup:
    case Verb::kExpire:
      break;
  }
  return run_days(options);
}

}  // namespace physmem::fleet
