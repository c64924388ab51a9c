// SPDX-License-Identifier: MIT
#include "analyzer/report/csv_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "program/printable.h"
#include "program/same_file.h"

namespace physmem {
namespace {

constexpr std::string_view kEnding = ".csv";

std::string sibling_path(const std::string& path, const std::string& table) {
  const bool has_ending = path.ends_with(kEnding);
  return fmt::format("{}-{}{}", path.substr(0, path.size() - (has_ending ? kEnding.size() : 0)),
                     table, kEnding);
}

/// False for standard output, devices and pipes, which cannot have a second file next to them.
bool can_have_siblings(const std::string& path) {
  if (path.empty() || path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/"))
    return false;
  struct stat status = {};
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

/// Sends each table to the writer of its name.
class SortingWriter : public TableWriter {
 public:
  explicit SortingWriter(CsvFiles& files) : files_(files) {}

  void begin(const TableHead& head) override {
    current_ = files_.writer(head.name);
    current_->begin(head);
  }
  void row(const std::vector<Cell>& cells) override { current_->row(cells); }
  std::size_t prepare(std::vector<Cell> cells) override {
    return current_->prepare(std::move(cells));
  }
  void prepared_rows(const Numbers& first, std::size_t prepared) override {
    current_->prepared_rows(first, prepared);
  }
  void drop_prepared() override { current_->drop_prepared(); }
  void end() override { current_->end(); }

 private:
  CsvFiles& files_;
  std::unique_ptr<TableWriter> current_;
};

}  // namespace

CsvFiles::CsvFiles(OutputFile& output, CsvPlace place)
    : output_(output),
      place_(std::move(place)),
      style_{.for_terminal = output.is_terminal(),
             .for_spreadsheet = place_.for_spreadsheet,
             .lines = &lines_["output"]} {}

std::unique_ptr<TableWriter> CsvFiles::writer() {
  return std::make_unique<SortingWriter>(*this);
}

std::unique_ptr<TableWriter> CsvFiles::writer(const std::string& table) {
  std::ostream& to = stream(table);
  CsvStyle style = style_;
  style.with_titles = begun_[table]++ == 0;
  style.lines = &lines_["table " + table];
  return csv_table_writer(to, style);
}

std::ostream& CsvFiles::stream(const std::string& table) {
  if (first_.empty()) first_ = table;
  if (table == first_) return output_.stream();
  Sibling& sibling = siblings_[table];
  if (sibling.file) return sibling.file->stream();
  sibling.path = sibling_path(place_.output, table);
  sibling.file = std::make_unique<OutputFile>(sibling.path, kind_of_output(place_.inputs));
  check(sibling.path, table);
  return sibling.file->stream();
}

void CsvFiles::check(const std::string& path, const std::string& table) {
  const bool is_input = std::any_of(place_.inputs.begin(), place_.inputs.end(),
                                    [&](const auto& input) { return is_same_file(input, path); });
  const bool is_track = !place_.track_file.empty() && is_same_output(place_.track_file, path);
  if (status_ && (is_input || is_track))
    status_ =
        Error{Error::Kind::kUsage,
              fmt::format("found {} as {} and as output of the table {}, expected different files",
                          in_quotes(path, kWholePath), is_input ? "input" : "--track", table)};
}

Status CsvFiles::commit() {
  for (auto& [table, sibling] : siblings_) {
    if (!status_) break;
    if (const std::string problem = sibling.file->commit(); !problem.empty())
      status_ = Error{Error::Kind::kIo, problem};
  }
  return status_;
}

bool CsvFiles::can_have_more() const {
  return can_have_siblings(place_.output);
}

std::vector<std::string> CsvFiles::notes() const {
  std::vector<std::string> notes;
  for (const auto& [table, sibling] : siblings_)
    notes.push_back(fmt::format("the table {} is in {}", table, sibling.path));
  if (place_.for_spreadsheet)
    for (const auto& [table, lines] : lines_)
      if (std::string note = sheet_note("the " + table, lines); !note.empty())
        notes.push_back(std::move(note));
  if (!left_out_.empty())
    notes.push_back(fmt::format("left out {}: --output gives each further table a file next to it",
                                fmt::join(left_out_, ", ")));
  return notes;
}

Status check_csv_tables(const std::string& output, std::size_t tables) {
  if (tables < 2 || can_have_siblings(output)) return {};
  return Error{
      Error::Kind::kUsage,
      fmt::format(
          "--csv: found {} tables for {}, expected one table per file: request one table, or use "
          "--output, which gives each further table a file next to it (day.csv, day-alerts.csv)",
          tables, output == "-" ? "standard output" : output)};
}

}  // namespace physmem
