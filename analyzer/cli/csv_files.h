// SPDX-License-Identifier: MIT
// One table a file: a reader of CSV cannot know where another table begins.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "analyzer/cli/options.h"
#include "analyzer/report/csv_field.h"
#include "analyzer/report/table_writer.h"
#include "program/output_file.h"

namespace physmem {

/// The first table goes to the output itself, each further one to a file next to it: day.csv,
/// day-alerts.csv. Tables of the same name are one, with one heading.
class CsvFiles {
 public:
  CsvFiles(OutputFile& output, const Options& options);

  /// Of CSV in the output's own stream.
  const CsvStyle& style() const { return style_; }
  /// Takes the rows of all tables, each to its file.
  std::unique_ptr<TableWriter> writer();
  /// The same for a caller that knows the table. Names are those of table heads.
  std::unique_ptr<TableWriter> writer(const std::string& table);

  /// An error if one of the files of the tables so far would replace an input.
  const Status& status() const { return status_; }
  /// The files next to the output appear, unless one of them cannot be written.
  Status commit();
  /// A sentence for each of them.
  std::vector<std::string> notes() const;

 private:
  struct Sibling {
    std::string path;
    std::unique_ptr<OutputFile> file;
  };

  std::ostream& stream(const std::string& table);
  void check(const std::string& path, const std::string& table);

  OutputFile& output_;
  const Options& options_;
  CsvStyle style_;
  std::string first_;  ///< name of the table in the output; empty until there is one
  std::map<std::string, Sibling> siblings_;
  std::map<std::string, std::size_t> begun_;
  Status status_;
};

/// Refuses more than one table where no file can be put next to the output.
Status check_csv_tables(const Options& options, std::size_t tables);

}  // namespace physmem
