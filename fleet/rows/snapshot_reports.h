// SPDX-License-Identifier: MIT
// The snapshots of one input as reports.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "analyzer/analyze/time/leak_search.h"
#include "analyzer/parse/byte_source.h"
#include "analyzer/parse/keyed_source.h"
#include "analyzer/parse/snapshot_reader.h"
#include "fleet/model/report.h"
#include "program/result.h"

namespace physmem::fleet {

/// How reports are made.
struct ReportSettings {
  std::string release = {};
  std::size_t names = 200;  ///< commands that a report distinguishes
  /// The machine is the folder below the named directory, whatever the report says.
  bool is_by_folder = false;
  /// With is_by_folder, texts and numbers of the reports of one machine for one day. A report of a
  /// large server every minute is 90 MB a day.
  std::uint64_t max_day_bytes = std::uint64_t{256} << 20;
};

/// An alert as reports name it: unit, process, rule. In printable form.
using AlertKey = std::tuple<std::string, std::string, std::string>;

/// The alerts that are open on each machine, so that reports have only what has changed. Holds the
/// machines that reported last; alerts of others count as new.
class OpenAlerts {
 public:
  static constexpr std::size_t kMaxMachines = 64;

  /// Adds rows for alerts that opened or closed since the snapshot of the machine before this one.
  /// If a snapshot is earlier than the last one, all its alerts count as opened. So a series that
  /// is read again has the same rows.
  void add_changes(Report& report, std::set<AlertKey> now);
  const std::set<AlertKey>& of(const std::string& machine) { return machines_[machine].alerts; }
  void set(const std::string& machine, std::set<AlertKey> alerts);

 private:
  struct Machine {
    std::set<AlertKey> alerts;  ///< of its last snapshot
    std::set<AlertKey> before;  ///< of the one before that
    std::uint64_t turn = 0;
    std::uint64_t time_ns = 0;  ///< of the last snapshot; 0: not known
  };

  void leave_out_oldest();

  std::map<std::string, Machine> machines_;
  std::uint64_t turns_ = 0;
};

class SnapshotReports {
 public:
  /// `host`: name of the machine for snapshots that have none. References must outlive the object.
  SnapshotReports(ByteSource& source, const std::string& name, std::string host,
                  const ReportSettings& settings, OpenAlerts& open);

  /// Nothing at the end of the input, or after an error. The last report of a series has its leaks.
  Result<std::optional<Report>> next();
  /// Whether data is missing from a snapshot that was read.
  bool data_is_missing() const { return data_is_missing_; }

 private:
  void read_ahead();
  Result<std::optional<Report>> read();

  std::string name_;
  std::string host_;
  const ReportSettings& settings_;
  OpenAlerts& open_;
  KeyedSource source_;
  SnapshotReader reader_;
  LeakSearch leaks_;
  bool is_begun_ = false;
  std::optional<Report> ahead_;   ///< the last one that was read
  std::optional<Error> problem_;  ///< after it
  bool data_is_missing_ = false;
};

}  // namespace physmem::fleet
