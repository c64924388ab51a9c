// SPDX-License-Identifier: MIT
#include "analyzer/parse/snapshot_reader.h"

#include <fmt/format.h>

#include <utility>

#include "analyzer/parse/input_kind.h"
#include "program/printable.h"

namespace physmem {
namespace {

bool is_record(std::string_view line) {
  return line.size() >= 2 && line[1] == ':' && line[0] >= 'A' && line[0] <= 'Z';
}

}  // namespace

SnapshotReader::SnapshotReader(ByteSource& source, std::string name, Options options)
    : window_(source, std::move(name), {options.keep_going, true}),
      options_(options),
      scanner_(options.is_strict ? no_entry_reader() : options.entries),
      known_(options.is_strict ? nullptr : source.predecoded_runs()) {
  if (known_ != nullptr) known_->want();
}

Error SnapshotReader::problem(std::uint64_t column, const std::string& text) const {
  if (Status status = window_.state(); !status) return status.error();
  return {Error::Kind::kBadInput,
          fmt::format("{}:{}:{}: {}", window_.name(), window_.line(), column, text)};
}

Status SnapshotReader::flawed(const LineCursor& cursor, char letter) const {
  return problem(cursor.flaw().column, fmt::format("{}: {}", letter, cursor.flaw().text));
}

Result<std::string_view> SnapshotReader::peek_line() {
  return window_.peek_line(", and only M: and S: lines may be");
}

/// Makes at least two characters available, unless the input ends before.
Status SnapshotReader::fill_two() {
  while (window_.text().size() < 2) {
    const auto more = window_.fill();
    if (!more) return more.error();
    if (!*more) break;
  }
  return {};
}

/// The line at the front where a snapshot may begin. For M: and S: only the letter and colon,
/// because these lines may be longer than the window, and their entries may be predecoded.
Result<std::string_view> SnapshotReader::peek_first() {
  if (Status status = fill_two(); !status) return status.error();
  const std::string_view front = window_.text().substr(0, 2);
  return front == "M:" || front == "S:" ? front : peek_line();
}

Result<bool> SnapshotReader::next(Events& events) {
  auto found = begin(events);
  if (!found || !*found) return found;
  while (true) {
    const auto done = step(events);
    if (!done) return done.error();
    if (*done == Step::kInputDone) return false;
    if (*done == Step::kSnapshotDone) break;
  }
  area_.reset();
  any_ = true;
  return true;
}

/// With keep_going, drops lines between two snapshots and after the last one.
Status SnapshotReader::skip_to_header() {
  while (any_ && options_.keep_going) {
    const auto line = peek_first();
    if (!line) return line.error();
    if (window_.text().empty() || line->starts_with("H:")) break;
    count_dropped(problem(1, fmt::format("found {} after the end of the snapshot", quoted(*line))));
    if (Status status = window_.skip_line(); !status) return status;
  }
  return {};
}

/// Examines the first line of a snapshot: whether it is one, and its version.
Result<bool> SnapshotReader::begin(Events& events) {
  notes_ = {};
  if (Status status = skip_to_header(); !status) return status.error();
  const auto line = peek_first();
  if (!line) return line.error();
  if (line->empty() && window_.text().empty()) {
    if (!any_ && window_.damage().empty())
      return Error{Error::Kind::kBadInput, window_.name() + ": is empty, expected a snapshot"};
    if (!any_) return Error{Error::Kind::kBadInput, window_.damage()};
    if (!window_.damage().empty()) count_cut({Error::Kind::kBadInput, window_.damage()});
    return false;
  }
  header_ = {};
  seen_ = {};
  end_ = {};
  has_header_ = false;
  has_task_ = false;
  damaged_ = false;
  last_of_area_.reset();
  if (is_trace_header(*line))
    return problem(1, "this is a paging trace, expected a snapshot: physmem-trace reads it");
  if (line->starts_with("H:")) return true;
  if (line->starts_with("T:") && !any_) {
    has_header_ = true;
    events.on_header(header_);
    return true;
  }
  return problem(
      1, fmt::format("found {}, expected {}", quoted(*line),
                     any_ ? "another snapshot (H:) or the end of the file after E:"
                          : "a snapshot, which begins with H: (version 2) or T: (version 1)"));
}

Result<SnapshotReader::Step> SnapshotReader::step(Events& events) {
  if (Status status = fill_two(); !status) return status.error();
  if (window_.text().starts_with("M:")) return after(mappings(events), events);
  if (window_.text().starts_with("S:")) return after(swapped(events), events);
  const auto line = peek_line();
  if (!line) {
    if (line.error().kind != Error::Kind::kBadInput) return line.error();
    return after(line.error(), events);
  }
  if (line->empty() && window_.text().empty()) return end_of_input(events);
  if (window_.text().size() == line->size()) {
    const Error cut = cut_short(line->size() + 1, "the file ends within a line: it was cut short");
    if (!has_header_) return cut_in_header(cut);
    return after(cut, events);
  }
  if (is_record(*line)) return record((*line)[0], *line, events);
  if (header_.version == 1 && (*line == "..." || line->empty())) {
    if (!line->empty()) {
      ++notes_.elided;
      if (area_) area_->incomplete = true;
      last_of_area_.reset();
      events.on_elided();
    }
    return after(window_.skip_line(), events);
  }
  return after(
      problem(1, fmt::format("found {}, expected a record: a letter and a colon", quoted(*line))),
      events);
}

Result<SnapshotReader::Step> SnapshotReader::record(char letter, std::string_view line,
                                                    Events& events) {
  Status status;
  switch (letter) {
    case 'H':
      if (has_header_) return end_of_input(events);
      // Nothing can be read after a header that is not understood.
      if (status = header(line, events); !status) return status.error();
      break;
    case 'G':
      status = counters(line, events);
      break;
    case 'T':
      status = task(line, events);
      break;
    case 'V':
      status = vma(line, events);
      break;
    case 'P':
      status = counts(line, events);
      break;
    case 'F':
      status = frames(line, events);
      break;
    case 'E':
      if (status = end_line(line, events); !status && !may_drop(status)) return status.error();
      if (!status) drop(status.error(), events);
      if (status = window_.skip_line(); !status) return status.error();
      events.on_end(end_);
      return Step::kSnapshotDone;
    default:
      ++notes_.unknown_records;
  }
  if (status) status = window_.skip_line();
  return after(status, events);
}

/// A version 2 snapshot without E: was cut short. Version 1 has no end record.
Result<SnapshotReader::Step> SnapshotReader::end_of_input(Events& events) {
  if (Status status = close_area(events); !status) return status.error();
  if (header_.version >= 2) {
    const Error cut = cut_short(1, "the snapshot ends without its E: record: it was cut short");
    if (!options_.keep_going) return cut;
    count_cut(cut);
  }
  events.on_end(end_);
  return Step::kSnapshotDone;
}

/// The input ends inside a header. With keep_going this is not an error after an earlier snapshot.
Result<SnapshotReader::Step> SnapshotReader::cut_in_header(const Error& cut) {
  if (!any_ || !options_.keep_going) return cut;
  count_cut(cut);
  return Step::kInputDone;
}

/// Continues after a record. An error ends the reading, or drops the line with keep_going.
Result<SnapshotReader::Step> SnapshotReader::after(const Status& status, Events& events) {
  if (status) return Step::kMore;
  if (!may_drop(status)) return status.error();
  drop(status.error(), events);
  if (auto moved = window_.skip_line(); !moved) return moved.error();
  return Step::kMore;
}

/// The error for an early end: the damage of the compressed input if there is any, else `text`.
Error SnapshotReader::cut_short(std::uint64_t column, const std::string& text) const {
  return window_.damage().empty() ? problem(column, text)
                                  : Error{Error::Kind::kBadInput, window_.damage()};
}

void SnapshotReader::count_cut(const Error& error) {
  if (notes_.first_problem.empty()) notes_.first_problem = error.text;
  ++notes_.truncated;
}

void SnapshotReader::count_dropped(const Error& error) {
  if (notes_.first_problem.empty()) notes_.first_problem = error.text;
  ++notes_.dropped_lines;
}

bool SnapshotReader::may_drop(const Status& status) const {
  return options_.keep_going && status.error().kind == Error::Kind::kBadInput;
}

void SnapshotReader::drop(const Error& error, Events& events) {
  count_dropped(error);
  damaged_ = true;
  std::string_view line = window_.text();
  if (window_.column(line.data()) != 1) line = {};  // inside an M: or S: line
  if (line.starts_with("T:")) has_task_ = false;
  if (line.starts_with("T:") || line.starts_with("V:")) area_.reset();
  if (area_ && !area_->incomplete) {
    area_->incomplete = true;
    events.on_elided();
  }
}

Status SnapshotReader::header(std::string_view line, Events& events) {
  LineCursor cursor(line, true);
  header_ = parse_header(cursor);
  if (!cursor.ok()) return flawed(cursor, 'H');
  has_header_ = true;
  events.on_header(header_);
  return {};
}

Status SnapshotReader::counters(std::string_view line, Events& events) {
  LineCursor cursor(line, true);
  const std::vector<Counter> counters = parse_counters(cursor);
  if (!cursor.ok()) return flawed(cursor, 'G');
  for (const Counter& counter : counters)
    if (counter.value != 0 && counter.name.starts_with("note."))
      notes_.collector[std::string(counter.name.substr(5))] += counter.value;
  events.on_counters(counters);
  return {};
}

Status SnapshotReader::task(std::string_view line, Events& events) {
  if (Status status = close_area(events); !status) return status;
  LineCursor cursor(line, header_.version >= 2);
  Task task = parse_task(cursor, header_.version);
  if (!cursor.ok()) return flawed(cursor, 'T');
  ++seen_.tasks;
  has_task_ = true;
  last_of_area_.reset();
  events.on_task(std::move(task));
  return {};
}

Status SnapshotReader::frames(std::string_view line, Events& events) {
  if (Status status = close_area(events); !status) return status;
  LineCursor cursor(line, true);
  const FrameRun run = parse_frames(cursor);
  if (!cursor.ok()) return flawed(cursor, 'F');
  ++seen_.frames;
  events.on_frames(run);
  return {};
}

Status SnapshotReader::end_line(std::string_view line, Events& events) {
  if (Status status = close_area(events); !status) return status;
  LineCursor cursor(line, true);
  const auto [said, end] = parse_end(cursor);
  if (!cursor.ok()) return flawed(cursor, 'E');
  end_ = end;
  notes_.excluded += end.excluded;
  if (!damaged_ && said != seen_)
    return problem(
        4,
        fmt::format(
            "E: says {} tasks, {} areas, {} pages, {} swapped, {} frame runs; the file has {}, {}, "
            "{}, {}, {}",
            said.tasks, said.areas, said.pages, said.swapped, said.frames, seen_.tasks, seen_.areas,
            seen_.pages, seen_.swapped, seen_.frames));
  return {};
}

}  // namespace physmem
