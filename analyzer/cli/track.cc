// SPDX-License-Identifier: MIT
#include "analyzer/cli/track.h"

#include <csv.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "analyzer/parse/line_cursor.h"
#include "program/output_file.h"
#include "program/output_place.h"
#include "program/printable.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

/// Rows that libcsv has parsed.
struct Rows {
  std::vector<std::vector<std::string>> rows{1};
};

extern "C" void on_csv_field(void* field, std::size_t size, void* rows) {
  static_cast<Rows*>(rows)->rows.back().emplace_back(static_cast<const char*>(field), size);
}

extern "C" void on_csv_row(int, void* rows) {
  static_cast<Rows*>(rows)->rows.emplace_back();
}

std::vector<Column> columns() {
  return {{"Label", Kind::kText},
          {"Time", Kind::kText},
          {"Kernel", Kind::kText},
          {"User space pages"},
          {"Page size B"}};
}

std::vector<Cell> cells(const TrackEntry& entry) {
  return {entry.label, entry.time, entry.kernel, entry.pages, entry.page_size};
}

Error broken(const std::string& path, std::size_t line, const std::string& what) {
  return {Error::Kind::kBadInput,
          fmt::format("{}:{}: {}; expected a file that --track wrote", path, line, what)};
}

Result<TrackEntry> entry(const std::vector<std::string>& row, const std::string& path,
                         std::size_t line) {
  if (row.size() != columns().size())
    return broken(path, line,
                  fmt::format("found {} fields, expected {}", row.size(), columns().size()));
  TrackEntry entry{from_export(row[0]), row[1], from_export(row[2])};
  if (!parse_dec(row[3], entry.pages) || !parse_dec(row[4], entry.page_size))
    return broken(path, line,
                  "found " + physmem::in_quotes(row[3] + ", " + row[4]) + ", expected two numbers");
  return entry;
}

/// Checks the first line, because a file of another program must not be overwritten.
bool is_heading(const std::vector<std::string>& row) {
  const std::vector<Column> ours = columns();
  return std::equal(
      row.begin(), row.end(), ours.begin(), ours.end(),
      [](const std::string& found, const Column& column) { return found == column.title; });
}

/// Waits until no other run appends to the file. The lock is on its folder, because the file itself
/// is replaced. Without a lock: a file system that has none, and a folder that may not be read.
UniqueFd lock_folder_of(const std::string& path) {
  const OutputPlace place = find_output(path);
  UniqueFd folder(::openat(place.folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  while (folder && ::flock(folder.get(), LOCK_EX) != 0 && errno == EINTR) continue;
  return folder;
}

Status write_track(const std::string& path, const std::vector<TrackEntry>& entries,
                   OutputKind kind) {
  OutputFile file(path, kind);
  print_track(file.stream(), entries);
  if (const std::string problem = file.commit(); !problem.empty())
    return Error{Error::Kind::kIo, problem};
  return {};
}

std::string change(std::uint64_t before, std::uint64_t after) {
  return after >= before ? fmt::format("+{}", after - before) : fmt::format("-{}", before - after);
}

}  // namespace

Result<std::vector<TrackEntry>> read_track(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return Error{Error::Kind::kIo, path + ": is a directory"};
  std::ifstream file(path, std::ios::binary);
  if (!file && errno == ENOENT) return std::vector<TrackEntry>();
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file)
    return Error{Error::Kind::kIo, fmt::format("{}: cannot read: {}", path, std::strerror(errno))};
  return parse_track(text, path);
}

Result<std::vector<TrackEntry>> parse_track(const std::string& text, const std::string& path) {
  Rows found;
  csv_parser parser;
  csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI);
  const bool good = csv_parse(&parser, text.data(), text.size(), on_csv_field, on_csv_row,
                              &found) == text.size() &&
                    csv_fini(&parser, on_csv_field, on_csv_row, &found) == 0;
  csv_free(&parser);
  if (!good) return broken(path, found.rows.size(), csv_strerror(csv_error(&parser)));
  found.rows.pop_back();
  if (!found.rows.empty() && !is_heading(found.rows[0]))
    return broken(path, 1, "found another heading or none");
  std::vector<TrackEntry> entries;
  for (std::size_t i = 1; i < found.rows.size(); ++i) {
    auto one = entry(found.rows[i], path, i + 1);
    if (!one) return one.error();
    entries.push_back(std::move(*one));
  }
  return entries;
}

void print_track(std::ostream& out, const std::vector<TrackEntry>& entries) {
  Table table{{"track", "", columns()}, {}};
  for (const TrackEntry& entry : entries) table.rows.push_back(cells(entry));
  csv_table_writer(out)->write(table);
}

Status Track::answer(Printer& printer, const View& view) {
  if (!count_.is_known())
    return Error{Error::Kind::kBadInput,
                 view.source + ": lists no pages (pages=none), so there is nothing to track"};
  UniqueFd lock = lock_folder_of(options_.track_file);
  auto entries = read_track(options_.track_file);
  if (!entries) return entries.error();
  entries->push_back({options_.track_label.empty() ? view.source : options_.track_label,
                      view.header.time_ns ? utc_text(*view.header.time_ns) : "", view.header.kernel,
                      count_.pages(), view.header.page_size.bytes});
  TableHead head{"track", "User space pages from version to version", columns()};
  head.columns.push_back({"Change", Kind::kText});
  printer.begin_answer(Format::kText);
  TableWriter& table = printer.table();
  table.begin(head);
  // Now it is known whether a table would replace the file.
  if (!printer.status()) return printer.status();
  const OutputKind kind = kind_of_output(options_.inputs);
  if (Status status = write_track(options_.track_file, *entries, kind); !status) return status;
  lock.reset();
  for (std::size_t i = 0; i < entries->size(); ++i) {
    std::vector<Cell> row = cells((*entries)[i]);
    row.push_back(i == 0 ? Cell() : Cell(change((*entries)[i - 1].pages, (*entries)[i].pages)));
    table.row(row);
  }
  table.end();
  return {};
}

}  // namespace physmem
