// SPDX-License-Identifier: MIT
// Writes answers to one output.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "analyzer/input/options.h"
#include "analyzer/report/csv_files.h"
#include "analyzer/report/map_text.h"
#include "analyzer/report/painter.h"
#include "analyzer/report/table_writer.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"
#include "program/output_file.h"
#include "program/result.h"

namespace physmem {

class Printer {
 public:
  /// How a text answer is separated from others.
  enum class Block {
    kOwn,      ///< below the heading of its snapshot, after an empty line
    kOneLine,  ///< lines that contain the name of their snapshot
  };

  /// If options have no format, each answer has its natural one. With several inputs, text has a
  /// heading for each.
  Printer(OutputFile& output, const Options& options);

  void begin_snapshot(const View& view);
  /// Begins the answers for all snapshots together; `snapshots` snapshots were read from `sources`.
  /// Answers for a single snapshot follow the answers after begin_snapshot().
  void begin_series(const std::vector<std::string>& sources, std::size_t snapshots,
                    const View& last);
  /// Begins an answer and returns its form. `natural`: the natural form of the analysis.
  Format begin_answer(Format natural, Block block = Block::kOwn);
  /// Ends a snapshot or the series. `missing`: sentences on missing data, for JSON.
  void end_snapshot(const std::vector<std::string>& missing);
  /// CsvFiles::status().
  const Status& status() const { return csv_.status(); }
  /// Draws pictures, and puts tables with their own files in their places.
  Status finish();
  /// Sentences with the places of tables outside the output. Call it after finish().
  std::vector<std::string> notes() const { return csv_.notes(); }

  /// Whether all answers are CSV.
  bool is_csv() const { return format_ == Format::kCsv; }
  bool is_terminal() const { return is_terminal_; }
  /// Columns of the terminal that text must fit; 0: any number, as in files and pipes.
  std::size_t columns() const { return columns_; }
  /// True if the heading of the snapshot was not written yet.
  bool lacks_heading() const { return !heading_.empty(); }
  TableWriter& table();
  /// Another table of the same answer.
  void write_next(const Table& table);
  /// The same, for a table whose rows are written one by one.
  TableWriter& next_table();
  /// False if this answer is CSV that can have no files next to it; `table` is then left out, and
  /// notes() name it.
  bool can_have(const std::string& table);
  std::ostream& text() { return out_; }
  /// Sentences, which are wrapped on a terminal.
  void lines(const std::vector<std::string>& lines);
  /// Lines for a program, which are never wrapped.
  void data_lines(const std::vector<std::string>& lines);
  void map_heading(const std::string& heading, int depth);
  void map_line(const PageMap::Line& line);
  /// After the last line of a map.
  void end_map();

  void add(BarChart chart) { pictures_.charts.push_back(std::move(chart)); }
  void add(PageMap map) { pictures_.maps.push_back(std::move(map)); }
  void add(Series series) { pictures_.series.push_back(std::move(series)); }
  void add(Treemap map) { pictures_.treemaps.push_back(std::move(map)); }
  void add(BlockMap map) { pictures_.block_maps.push_back(std::move(map)); }

 private:
  void begin_json(const std::string& subject, const View& view);
  void end_json();
  void separate(Block block);
  std::unique_ptr<TableWriter> writer(Format format);
  /// Without units of sizes.
  std::unique_ptr<TableWriter> plain_writer(Format format);

  std::ostream& out_;
  CsvFiles csv_;
  std::optional<Format> format_;
  bool is_terminal_;
  std::size_t columns_;
  bool many_;
  const Options& options_;
  PageSize page_size_;
  std::string source_;   ///< of the snapshot; empty for the series
  std::string heading_;  ///< to be written above the next answer
  bool is_first_answer_ = true;
  Block last_block_ = Block::kOwn;
  bool is_first_snapshot_ = true;
  bool is_json_open_ = false;         ///< a snapshot or series has begun
  std::vector<std::string> missing_;  ///< sentences of it
  Format current_ = Format::kText;
  std::unique_ptr<TableWriter> writer_;
  MapText map_;
  Pictures pictures_;
};

}  // namespace physmem
