// SPDX-License-Identifier: MIT
// The answer over many snapshots: tables with rows of each, then the digest.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "analyzer/analyze/many/fleet_digest.h"
#include "analyzer/analyze/many/ram_digest.h"
#include "analyzer/many/fleet_reader.h"
#include "analyzer/report/csv_files.h"
#include "analyzer/report/spool.h"
#include "analyzer/report/table_writer.h"
#include "program/result.h"

namespace physmem {

/// Rows of the first table are written at once; rows of other tables are kept in temporary files.
/// Memory depends on the number of hosts and units (with a digest), not of snapshots.
class FleetReport {
 public:
  FleetReport(OutputFile& output, const Options& options, const FleetQuestions& questions);

  void add(FleetAnswer&& answer);
  /// `missing`: sentences on missing data, for JSON.
  void end(const std::vector<std::string>& missing);
  /// Puts files next to the output in their places.
  Status commit() { return csv_.commit(); }
  /// Sentences with the places of tables outside the output.
  std::vector<std::string> notes() const { return csv_.notes(); }
  /// Empty, or why rows could not be kept in temporary files.
  std::string error() const;

 private:
  struct Part {
    std::unique_ptr<Spool> spool;  ///< for all but the first table, unless each has its own file
    std::unique_ptr<TableWriter> writer;
  };

  void begin();
  void begin_parts();
  void separate();
  void write_digest();
  void write_digest(const Table& table);
  void end_json(const std::vector<std::string>& missing);
  std::unique_ptr<TableWriter> writer(const std::string& question, const std::string& table,
                                      std::ostream& out);

  std::ostream& out_;
  std::size_t columns_;  ///< of the terminal; 0: none
  CsvFiles csv_;
  const Options& options_;
  const FleetQuestions& questions_;
  bool has_begun_ = false;
  bool is_first_table_ = true;
  std::vector<Part> parts_;  ///< one for each of questions_.tables
  FleetDigest digest_;
  RamDigest ram_;
  std::uint64_t snapshots_ = 0;
};

}  // namespace physmem
