// SPDX-License-Identifier: MIT
// Answers to one output, in one form.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "analyzer/cli/options.h"
#include "analyzer/report/table_writer.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

class Printer {
 public:
  /// `format` nothing: each answer in its natural one. `many`: several snapshots, so text says which is
  /// which.
  Printer(std::ostream& out, std::optional<Format> format, bool many);

  void begin_snapshot(const View& view);
  /// The form in which to answer, for an analysis whose natural one is this.
  Format begin_answer(Format natural);
  /// `missing`: what the answers lack, for a reader of JSON.
  void end_snapshot(const std::vector<std::string>& missing);
  /// Pictures are drawn here. Empty, or what went wrong.
  std::string finish();

  TableWriter& table();
  std::ostream& text() { return out_; }
  void lines(const std::vector<std::string>& lines);
  void map_heading(const std::string& heading, int depth);
  void map_line(const PageMap::Line& line);

  void add(BarChart chart) { charts_.push_back(std::move(chart)); }
  void add(PageMap map) { maps_.push_back(std::move(map)); }
  void add(Series series) { series_.push_back(std::move(series)); }

 private:
  std::unique_ptr<TableWriter> writer(Format format);

  std::ostream& out_;
  std::optional<Format> format_;
  bool many_;
  std::string source_;  ///< of the snapshot
  bool is_first_answer_ = true;
  bool is_first_snapshot_ = true;
  Format current_ = Format::kText;
  std::unique_ptr<TableWriter> writer_;
  std::vector<BarChart> charts_;
  std::vector<PageMap> maps_;
  std::vector<Series> series_;
};

}  // namespace physmem
