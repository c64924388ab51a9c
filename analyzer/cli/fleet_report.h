// SPDX-License-Identifier: MIT
// The answer over many snapshots: tables that grow with each, and the digest behind them.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "analyzer/analyze/fleet_digest.h"
#include "analyzer/cli/csv_files.h"
#include "analyzer/cli/fleet_reader.h"
#include "analyzer/report/spool.h"
#include "analyzer/report/table_writer.h"

namespace physmem {

/// Rows of the first table go out as they come; those of the others wait in files. Memory depends
/// on hosts and units (if there is a digest), not on snapshots.
class FleetReport {
 public:
  FleetReport(OutputFile& output, const Options& options, const FleetQuestions& questions);

  void add(FleetAnswer&& answer);
  /// `missing`: what the answer lacks, for a reader of JSON.
  void end(const std::vector<std::string>& missing);
  /// Files next to the output appear.
  Status commit() { return csv_.commit(); }
  /// Sentences on where tables are that are not in the output itself.
  std::vector<std::string> notes() const { return csv_.notes(); }
  /// Empty, or why rows that wait could not be kept.
  std::string error() const;

 private:
  struct Part {
    std::unique_ptr<Spool> spool;  ///< of all but the first, unless each has a file of its own
    std::unique_ptr<TableWriter> writer;
  };

  void begin();
  void begin_parts();
  void separate();
  void end_json(const std::vector<std::string>& missing);
  Format format(const std::string& question) const;
  std::unique_ptr<TableWriter> writer(const std::string& question, const std::string& table,
                                      std::ostream& out);

  std::ostream& out_;
  CsvFiles csv_;
  const Options& options_;
  const FleetQuestions& questions_;
  bool has_begun_ = false;
  bool is_first_table_ = true;
  std::vector<Part> parts_;  ///< one for each of questions_.tables
  FleetDigest digest_;
  std::uint64_t snapshots_ = 0;
};

}  // namespace physmem
