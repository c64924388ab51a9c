// SPDX-License-Identifier: MIT
// Answers to one output, in one form.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "analyzer/cli/csv_files.h"
#include "analyzer/cli/options.h"
#include "analyzer/report/table_writer.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"
#include "program/output_file.h"

namespace physmem {

class Printer {
 public:
  /// How an answer in text stands among others.
  enum class Block {
    kOwn,      ///< below the heading of its snapshot, apart from other answers by an empty line
    kOneLine,  ///< a line that names its snapshot itself
  };

  /// Without a format each answer has its natural one; with several inputs text says which is
  /// which.
  Printer(OutputFile& output, const Options& options);

  void begin_snapshot(const View& view);
  /// What is said of all snapshots together; `snapshots` of them were read from `sources`.
  void begin_series(const std::vector<std::string>& sources, std::size_t snapshots,
                    const View& last);
  /// The form in which to answer, for an analysis whose natural one is this.
  Format begin_answer(Format natural, Block block = Block::kOwn);
  /// Ends a snapshot or the series. `missing`: what the answers lack, for a reader of JSON.
  void end_snapshot(const std::vector<std::string>& missing);
  /// CsvFiles::status().
  const Status& status() const { return csv_.status(); }
  /// Pictures are drawn here, and tables in files of their own appear.
  Status finish();
  /// Once everything was written: sentences on where the tables are that are not in the output
  /// itself.
  std::vector<std::string> notes() const { return csv_.notes(); }

  /// No heading says yet which snapshot is answered for.
  bool lacks_heading() const { return !heading_.empty(); }
  TableWriter& table();
  /// Another table of the same answer.
  void write_next(const Table& table);
  std::ostream& text() { return out_; }
  void lines(const std::vector<std::string>& lines);
  void map_heading(const std::string& heading, int depth);
  void map_line(const PageMap::Line& line);

  void add(BarChart chart) { charts_.push_back(std::move(chart)); }
  void add(PageMap map) { maps_.push_back(std::move(map)); }
  void add(Series series) { series_.push_back(std::move(series)); }

 private:
  void begin_json(const std::string& subject, const View& view);
  void separate(Block block);
  std::unique_ptr<TableWriter> writer(Format format);

  std::ostream& out_;
  CsvFiles csv_;
  std::optional<Format> format_;
  bool many_;
  std::string source_;   ///< of the snapshot; empty for the series
  std::string heading_;  ///< to be written above the next answer
  bool is_first_answer_ = true;
  Block last_block_ = Block::kOwn;
  bool is_first_snapshot_ = true;
  Format current_ = Format::kText;
  std::unique_ptr<TableWriter> writer_;
  std::vector<BarChart> charts_;
  std::vector<PageMap> maps_;
  std::vector<Series> series_;
};

}  // namespace physmem
