// SPDX-License-Identifier: MIT
#include "fleet/run.h"

#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <utility>

#include "analyzer/cli/snapshot_files.h"
#include "fleet/load/loader.h"
#include "fleet/load/report_input.h"
#include "fleet/print_answer.h"
#include "fleet/rows/name_text.h"
#include "fleet/sql/sql_text.h"
#include "fleet/store/store.h"
#include "output/open_output.h"
#include "program/memory_limit.h"
#include "program/messages.h"
#include "program/signals.h"

namespace physmem::fleet {
namespace {

Exit failed(const Error& error) {
  return report_error(std::cerr, kProgramName, error);
}

Result<std::unique_ptr<Store>> opened(const Options& options, StoreAccess access) {
  return open_store(options.store, access);
}

Status copy_rows(const Options& options, Output& output, bool& data_is_missing) {
  const ReportSettings settings{.release = options.release};
  OpenAlerts alerts;
  const auto write = [&](std::string_view text) -> Status {
    const int error = output.write(text);
    return error == 0 ? Status() : output_error(output, error);
  };
  if (Status status = write(kRowsMagic); !status) return status;
  for (const std::string& path : options.paths) {
    auto input = ReportInput::open({path}, settings, alerts);
    if (!input) return input.error();
    while (true) {
      auto report = (*input)->next();
      if (!report) return report.error();
      if (!*report) break;
      SnapshotLine& line = (*report)->snapshot;
      line.lost += options.lost;
      if (!options.archive.empty()) line.archive = escaped_name(options.archive);
      if (Status status = write(text_of(**report)); !status) return status;
    }
    data_is_missing = data_is_missing || (*input)->data_is_missing();
  }
  if (const int error = output.mark_whole(); error != 0) return output_error(output, error);
  if (const int error = output.finish(); error != 0) return output_error(output, error);
  return {};
}

Exit run_rows(const Options& options) {
  catch_signals();
  const auto output = open_output(options.output);
  if (!output) return failed(output.error());
  bool data_is_missing = false;
  if (Status status = copy_rows(options, **output, data_is_missing); !status) {
    die_of_signal();
    return failed(status.error());
  }
  return data_is_missing ? Exit::kDataMissing : Exit::kDone;
}

Exit run_load(const Options& options) {
  catch_signals(SecondSignal::kEndsProgram);
  auto store = opened(options, StoreAccess::kCreate);
  if (!store) return failed(store.error());
  if (Status status = (*store)->create(); !status) return failed(status.error());
  std::vector<SnapshotFile> files;
  std::vector<std::string> problems;
  if (options.paths == std::vector<std::string>{"-"}) {
    files.push_back({"-"});
  } else {
    auto found = find_snapshot_files(options.paths, "");
    if (!found) return failed(found.error());
    files = std::move(found->files);
    problems = std::move(found->problems);
  }
  for (const std::string& problem : problems) report(std::cerr, kProgramName, problem);
  const ReportSettings settings{.release = options.release};
  Loader loader(**store, settings, options.replaces,
                [](const std::string& problem) { report(std::cerr, kProgramName, problem); });
  for (const SnapshotFile& file : files) {
    if (interrupted()) break;
    if (Status status = loader.add(file); !status) return failed(status.error());
  }
  if (Status status = loader.finish(); !status) return failed(status.error());
  const Loaded& loaded = loader.loaded();
  const bool is_complete =
      loaded.damaged_files == 0 && problems.empty() && !loaded.data_is_missing && !interrupted();
  return is_complete ? Exit::kDone : Exit::kDataMissing;
}

Exit run_ask(const Options& options) {
  auto store = opened(options, StoreAccess::kRead);
  if (!store) return failed(store.error());
  const auto now =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(
                                     std::chrono::system_clock::now().time_since_epoch())
                                     .count());
  const auto at = [now](const std::optional<TimePoint>& time) {
    return time ? std::optional(time->at(now)) : std::nullopt;
  };
  auto answer = fleet::answer(**store, {.question = options.question,
                                        .now = now,
                                        .since = at(options.since),
                                        .until = at(options.until),
                                        .before = at(options.before),
                                        .hosts = options.hosts,
                                        .units = options.units,
                                        .top = options.top});
  if (!answer) return failed(answer.error());
  return print_answer(std::move(*answer), options, std::cerr);
}

Exit run_schema(const Options& options) {
  const std::string_view sql = sql_text(options.store, "schema");
  if (sql.empty())
    return failed({Error::Kind::kUsage,
                   "schema: found " + options.store + ", expected sqlite or clickhouse"});
  std::cout << sql << std::flush;
  return Exit::kDone;
}

}  // namespace

Exit run(const Options& options) {
  limit_memory(kProgramName, options.max_memory);
  switch (options.verb) {
    case Verb::kRows:
      return run_rows(options);
    case Verb::kLoad:
      return run_load(options);
    case Verb::kAsk:
      return run_ask(options);
    case Verb::kSchema:
      return run_schema(options);
    default:
      return failed({Error::Kind::kUsage, "not supported"});
  }
}

}  // namespace physmem::fleet
