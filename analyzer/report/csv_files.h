// SPDX-License-Identifier: MIT
// One table per CSV file, because a CSV reader cannot detect where another table begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "analyzer/report/csv_field.h"
#include "analyzer/report/table_writer.h"
#include "program/output_file.h"
#include "program/result.h"

namespace physmem {

/// Where the tables of one answer go, and which files must stay as they are.
struct CsvPlace {
  std::string output = "-";
  std::vector<std::string> inputs;
  std::string track_file;        ///< of --track; empty: none
  bool for_spreadsheet = false;  ///< see CsvStyle
};

/// The first table is written to the output itself, each further one to a file next to it: day.csv,
/// day-alerts.csv. Tables of the same name are joined under one heading.
class CsvFiles {
 public:
  CsvFiles(OutputFile& output, CsvPlace place);

  /// Style of CSV in the output's own stream.
  const CsvStyle& style() const { return style_; }
  /// A writer that takes all tables and writes each to its file.
  std::unique_ptr<TableWriter> writer();
  /// The writer for one table, by the name in its table head.
  std::unique_ptr<TableWriter> writer(const std::string& table);

  /// Whether further tables can have files next to the output.
  bool can_have_more() const;
  /// Notes that a table was not written, because !can_have_more().
  void leave_out(const std::string& table) { left_out_.push_back(table); }

  /// An error if one of the files of the tables so far would replace an input.
  const Status& status() const { return status_; }
  /// Puts the files next to the output in their places, unless one of them cannot be written.
  Status commit();
  /// One sentence for each of these files, for each table that is too long for a spreadsheet, and
  /// one for tables that were left out.
  std::vector<std::string> notes() const;

 private:
  struct Sibling {
    std::string path;
    std::unique_ptr<OutputFile> file;
  };

  std::ostream& stream(const std::string& table);
  void check(const std::string& path, const std::string& table);

  OutputFile& output_;
  CsvPlace place_;
  std::map<std::string, std::uint64_t> lines_;  ///< with titles, by "table NAME" or "output"
  CsvStyle style_;
  std::string first_;  ///< name of the table in the output; empty before the first
  std::map<std::string, Sibling> siblings_;
  std::map<std::string, std::size_t> begun_;
  std::vector<std::string> left_out_;
  Status status_;
};

/// For CSV: an error if there is more than one table and no file can be created next to `output`.
Status check_csv_tables(const std::string& output, std::size_t tables);

}  // namespace physmem
