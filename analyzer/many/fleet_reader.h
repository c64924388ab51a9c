// SPDX-License-Identifier: MIT
// Reads the snapshots of one file for tables over many snapshots.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "analyzer/analyze/event_tee.h"
#include "analyzer/analyze/many/ram_digest.h"
#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/process/basic.h"
#include "analyzer/analyze/process/page_count.h"
#include "analyzer/analyze/process/unit_totals.h"
#include "analyzer/analyze/ram/frame_split.h"
#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/input/options.h"
#include "analyzer/input/snapshot_files.h"
#include "analyzer/parse/snapshot_reader.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"
#include "program/result.h"

namespace physmem {

/// The questions that are asked of every snapshot.
struct FleetQuestions {
  explicit FleetQuestions(const Options& options);

  std::vector<std::string> tables;  ///< names of questions, in the order of answers
  bool digest = false;              ///< --ask summary
  bool alerts = false;              ///< a question needs them
  bool alerts_column = false;       ///< --totals with --alerts: one more column

  bool is_asked(const std::string& question) const;
  /// True if a question cannot be answered completely.
  bool lacks_data(const Header& header) const;
};

struct FleetFolds {
  explicit FleetFolds(const RamSelection& selection = {}, const ProcessFilter& only = {})
      : basic(selection, only),
        totals(selection, only),
        count(selection, only),
        ledger(selection, only) {}

  FrameSplit<Basic> basic;
  FrameSplit<UnitTotals> totals;
  Alerts alerts;
  FrameSplit<PageCount> count;
  FrameSplit<Ledger> ledger;

  std::vector<Analysis*> asked(const FleetQuestions& questions);
  /// With --by: the receivers of events of each group.
  EventTee grouped(const FleetQuestions& questions);
};

/// A table for each of questions.tables. For empty folds, only the table head.
std::vector<Table> fleet_tables(const Options& options, const FleetQuestions& questions,
                                const FleetFolds& folds, const std::string& host, const View& view);

/// The answers of one snapshot, or the end of a file.
struct FleetAnswer {
  bool ends_file = false;
  View view;
  std::string host;
  std::vector<Table> tables;
  std::vector<UnitTotalsRow> units;  ///< for the digest, like ram and alerts
  RamOfSnapshot ram;
  Alerts alerts;
  ReadNotes notes;  ///< at the end of a file: notes on the lines after its last snapshot
  std::uint64_t repeated_areas = 0;
  std::string lack;  ///< why pages cannot be selected or split; empty: nothing
  // At the end of a file:
  std::uint64_t file_bytes = 0;  ///< on the disk
  bool is_cut = false;           ///< the reading was stopped
  std::optional<Error> problem;  ///< why reading ended early
};

class FleetReader {
 public:
  using Put = std::function<void(FleetAnswer)>;
  using IsStopped = std::function<bool()>;

  /// `jobs`: threads for one file.
  FleetReader(const Options& options, const FleetQuestions& questions, std::size_t jobs);

  /// Puts one answer for each snapshot, and one more at the end. Threads may read different files.
  /// If memory is too little for a snapshot while others are read, it is read again alone. So the
  /// result does not depend on the threads.
  void read(const SnapshotFile& file, const Put& put, const IsStopped& is_stopped) const;

 private:
  enum class Company { kOthers, kNone };
  struct Reading {
    const SnapshotFile& file;
    const Put& put;
    const IsStopped& is_stopped;
    std::size_t done = 0;  ///< snapshots whose answers were put
  };

  FleetAnswer read_all(Reading& reading) const;
  FleetAnswer read_on(Reading& reading, Company company) const;
  void put_end(const FleetAnswer& end, const Put& put) const;
  Result<std::optional<FleetAnswer>> snapshot(SnapshotReader& reader, const SnapshotFile& file,
                                              std::size_t number, Company company) const;
  Result<std::optional<FleetAnswer>> snapshot(SnapshotReader& reader, const SnapshotFile& file,
                                              std::size_t number) const;
  void prove(Alerts& alerts) const;

  const Options& options_;
  const FleetQuestions& questions_;
  std::size_t jobs_;
  /// Held while a snapshot is read, but not during put, which may wait for another thread.
  mutable std::shared_mutex memory_;
};

}  // namespace physmem
