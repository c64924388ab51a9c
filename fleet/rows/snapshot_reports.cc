// SPDX-License-Identifier: MIT
#include "fleet/rows/snapshot_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/event_tee.h"
#include "fleet/rows/name_text.h"
#include "fleet/rows/report_facts.h"
#include "fleet/rows/rows_text.h"

namespace physmem::fleet {
namespace {

/// The analyses of one snapshot.
struct Folds {
  UnitTotals units;
  Alerts alerts;
  RegionUse regions;
  ChosenCounters counters;
  NameUses names;
  Ledger ledger;

  std::vector<Analysis*> with(LeakSearch& leaks) {
    return {&units, &alerts, &regions, &counters, &names, &ledger, &leaks};
  }
};

std::set<AlertKey> keys_of(const Alerts& alerts) {
  std::set<AlertKey> keys;
  for (const Alert& alert : alerts.rows())
    keys.emplace(escaped_name(alert.unit), escaped_name(alert.process),
                 alert.rule == Alert::Rule::kPrivateText ? "private_text" : "single_and_shared");
  return keys;
}

}  // namespace

void OpenAlerts::add_changes(Report& report, std::set<AlertKey> now) {
  Machine& machine = machines_[report.snapshot.machine];
  const std::uint64_t time_ns = report.snapshot.time_ns;
  // A snapshot that is read twice keeps its `before`.
  if (time_ns > machine.time_ns) machine.before = std::move(machine.alerts);
  if (time_ns < machine.time_ns) machine.before.clear();
  const auto add = [&](const AlertKey& key, std::uint64_t state) {
    const auto& [unit, process, rule] = key;
    report.of(FactTable::kAlerts).push_back({{unit, process, rule}, {state}});
  };
  for (const AlertKey& key : now)
    if (!machine.before.contains(key)) add(key, 1);
  for (const AlertKey& key : machine.before)
    if (!now.contains(key)) add(key, 0);
  machine = {std::move(now), std::move(machine.before), ++turns_, time_ns};
  leave_out_oldest();
}

void OpenAlerts::set(const std::string& machine, std::set<AlertKey> alerts) {
  machines_[machine] = {std::move(alerts), {}, ++turns_, 0};
  leave_out_oldest();
}

void OpenAlerts::leave_out_oldest() {
  if (machines_.size() <= kMaxMachines) return;
  machines_.erase(
      std::min_element(machines_.begin(), machines_.end(),
                       [](const auto& a, const auto& b) { return a.second.turn < b.second.turn; }));
}

SnapshotReports::SnapshotReports(ByteSource& source, const std::string& name, std::string host,
                                 const ReportSettings& settings, OpenAlerts& open)
    : name_(name),
      host_(std::move(host)),
      settings_(settings),
      open_(open),
      source_(source),
      reader_(source_, name, {}) {}

/// One report is read ahead, because only the last one has the leaks. Before an error, those that
/// are whole are returned.
Result<std::optional<Report>> SnapshotReports::next() {
  if (!is_begun_) read_ahead();
  is_begun_ = true;
  if (!ahead_) return problem_ ? Result<std::optional<Report>>(*problem_) : std::optional<Report>();
  std::optional<Report> report = std::exchange(ahead_, {});
  read_ahead();
  if (!ahead_ && !problem_ && leaks_.snapshots() > 1) add_leaks(*report, leaks_);
  return report;
}

void SnapshotReports::read_ahead() {
  auto found = read();
  if (found)
    ahead_ = std::move(*found);
  else
    problem_ = found.error();
}

Result<std::optional<Report>> SnapshotReports::read() {
  Folds folds;
  Census census(folds.with(leaks_));
  const auto found = reader_.next(census);
  if (!found) return found.error();
  if (!*found) return std::optional<Report>();
  const Header& header = census.header();
  std::string key = source_.take_key();
  if (!header.time_ns)
    return Error{Error::Kind::kBadInput,
                 name_ +
                     ": the snapshot has no time (format version 1 has none), so it has no "
                     "place in a history"};
  data_is_missing_ = data_is_missing_ || reader_.notes().data_is_missing();
  Report report;
  report.snapshot = snapshot_line(header, header.host.empty() ? host_ : header.host);
  report.snapshot.key = std::move(key);
  report.snapshot.release = escaped_name(settings_.release);
  add_units(report, header, folds.units, folds.alerts);
  add_regions(report, header, folds.regions);
  add_counters(report, folds.counters);
  add_names(report, header, folds.names, settings_.names);
  add_ram(report, folds.ledger);
  if (const std::string wrong = above_limit(report); !wrong.empty())
    return Error{Error::Kind::kBadInput, fmt::format("{}: snapshot with time_ns={}: {}", name_,
                                                     report.snapshot.time_ns, wrong)};
  // A snapshot of tasks only does not say which alerts are open.
  if (!report.of(FactTable::kUnits).empty()) open_.add_changes(report, keys_of(folds.alerts));
  return std::optional(std::move(report));
}

}  // namespace physmem::fleet
