// SPDX-License-Identifier: MIT
#include "analyzer/parse/snapshot_reader.h"

#include <fmt/format.h>

#include <utility>

#include "analyzer/parse/input_kind.h"
#include "program/printable.h"

namespace physmem {

SnapshotReader::SnapshotReader(ByteSource& source, std::string name, Options options)
    : lines_(source, std::move(name), options.keep_going),
      entries_(
          lines_, options.is_strict ? nullptr : source.predecoded_runs(),
          {options.is_strict ? no_entry_reader() : options.entries, options.jobs, options.chunk}),
      is_strict_(options.is_strict) {}

Result<bool> SnapshotReader::next(Events& events) {
  lines_.clear_notes();
  notes_ = {};
  auto found = read(events);
  static_cast<LineNotes&>(notes_) = lines_.notes();
  return found;
}

bool SnapshotReader::is_last() {
  return lines_.peek_text() && lines_.at_end();
}

Result<bool> SnapshotReader::read(Events& events) {
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

/// Examines the first line of a snapshot: whether it is one, and its version. With keep_going,
/// drops lines between two snapshots and after the last one.
Result<bool> SnapshotReader::begin(Events& events) {
  if (Status status = any_ ? lines_.drop_until_header() : Status(); !status) return status.error();
  const auto line = lines_.peek_text();
  if (!line) return line.error();
  if (lines_.at_end()) return no_more_snapshots();
  header_ = {};
  lines_.set_gaps(true);
  seen_ = {};
  ram_ = {};
  end_ = {};
  has_header_ = false;
  has_task_ = false;
  damaged_ = false;
  last_of_area_.reset();
  if (is_trace_header(*line))
    return foreign("this is a paging trace, expected a snapshot: physmem-trace reads it");
  if (line->starts_with("H:")) return true;
  if (line->starts_with("T:") && !any_) {
    has_header_ = true;
    events.on_header(header_);
    return true;
  }
  return foreign(
      fmt::format("found {}, expected {}", in_quotes(*line),
                  any_ ? "another snapshot (H:) or the end of the file after E:"
                       : "a snapshot, which begins with H: (version 2) or T: (version 1)"));
}

/// The error of a line that begins no snapshot.
Error SnapshotReader::foreign(const std::string& text) const {
  Error error = lines_.problem(1, text);
  error.is_foreign = !any_;
  return error;
}

Result<bool> SnapshotReader::no_more_snapshots() {
  const auto damage = lines_.damage();
  if (any_) {
    if (damage) lines_.drop_end(*damage);
    return false;
  }
  if (damage) return *damage;
  return Error{Error::Kind::kBadInput, lines_.name() + ": is empty, expected a snapshot"};
}

Result<SnapshotReader::Step> SnapshotReader::step(Events& events) {
  using Kind = RecordLine::Kind;
  const auto line = lines_.peek();
  if (!line) return after(line.error(), events);
  if (line->kind == Kind::kRecord) return record(*line, events);
  if (line->kind == Kind::kList) return after(list(line->letter(), events), events);
  return other_line(*line, events);
}

/// A line without a known record.
Result<SnapshotReader::Step> SnapshotReader::other_line(const RecordLine& line, Events& events) {
  using Kind = RecordLine::Kind;
  switch (line.kind) {
    case Kind::kElided:
      if (area_) area_->set_incomplete();
      last_of_area_.reset();
      events.on_elided();
      break;
    case Kind::kCut:
      return cut(line, events);
    case Kind::kEnd:
      return end_of_input(events);
    case Kind::kBlank:
    case Kind::kUnknown:
    case Kind::kRecord:
    case Kind::kList:
      break;
  }
  return after(lines_.ignore(line), events);
}

Result<SnapshotReader::Step> SnapshotReader::record(const RecordLine& line, Events& events) {
  Status status;
  switch (line.letter()) {
    case 'H':
      if (has_header_) return end_of_input(events);
      // Nothing can be read after a header that is not understood.
      if (status = header(line.text, events); !status) return status.error();
      break;
    case 'G':
      status = counters(line.text, events);
      break;
    case 'D':
      status = holder(line.text, events);
      break;
    case 'T':
      status = task(line.text, events);
      break;
    case 'V':
      status = vma(line.text, events);
      break;
    case 'P':
      status = counts(line.text, events);
      break;
    case 'Z':
    case 'O':
    case 'R':
      status = ram(line, events);
      break;
    default:
      return end_line(line.text, events);
  }
  if (status) status = lines_.skip();
  return after(status, events);
}

/// E:. The snapshot ends even if its totals are wrong.
Result<SnapshotReader::Step> SnapshotReader::end_line(std::string_view line, Events& events) {
  if (Status status = totals(line, events); !status && !may_drop(status.error(), events))
    return status.error();
  if (Status status = lines_.skip(); !status) return status.error();
  events.on_end(end_);
  return Step::kSnapshotDone;
}

/// A version 2 snapshot without E: was cut short. Version 1 has no end record.
Result<SnapshotReader::Step> SnapshotReader::end_of_input(Events& events) {
  if (Status status = close_area(events); !status) return status.error();
  if (header_.version >= 2) {
    const Error cut =
        lines_.cut_short(1, "the snapshot ends without its E: record: it was cut short");
    if (!lines_.drop_end(cut)) return cut;
  }
  events.on_end(end_);
  return Step::kSnapshotDone;
}

/// The input ends within this line. With keep_going, a cut header is not an error after an earlier
/// snapshot.
Result<SnapshotReader::Step> SnapshotReader::cut(const RecordLine& line, Events& events) {
  const Error cut =
      lines_.cut_short(line.text.size() + 1, "the file ends within a line: it was cut short");
  if (has_header_) return after(cut, events);
  if (!any_ || !lines_.drop_end(cut)) return cut;
  return Step::kInputDone;
}

/// Continues after a record. An error ends the reading, or drops the line with keep_going.
Result<SnapshotReader::Step> SnapshotReader::after(const Status& status, Events& events) {
  if (status) return Step::kMore;
  if (!may_drop(status.error(), events)) return status.error();
  if (auto moved = lines_.skip(); !moved) return moved.error();
  return Step::kMore;
}

/// Counts the line at the front as dropped, and with it what depends on it. False if the error ends
/// the reading.
bool SnapshotReader::may_drop(const Error& error, Events& events) {
  if (!lines_.drop(error)) return false;
  damaged_ = true;
  const char letter = lines_.letter();
  if (letter == 'T') has_task_ = false;
  if (letter == 'T' || letter == 'V') area_.reset();
  if (area_ && area_->set_incomplete()) events.on_elided();
  return true;
}

Status SnapshotReader::header(std::string_view line, Events& events) {
  LineCursor cursor(line, true);
  header_ = parse_header(cursor);
  if (!cursor.ok()) return lines_.flawed('H', cursor.flaw());
  has_header_ = true;
  lines_.set_gaps(false);
  events.on_header(header_);
  return {};
}

Status SnapshotReader::counters(std::string_view line, Events& events) {
  LineCursor cursor(line, true);
  const std::vector<Counter> counters = parse_counters(cursor);
  if (!cursor.ok()) return lines_.flawed('G', cursor.flaw());
  for (const Counter& counter : counters) {
    ram_.on_counter(counter);
    if (counter.value != 0 && counter.name.starts_with("note."))
      notes_.collector[std::string(counter.name.substr(5))] += counter.value;
  }
  events.on_counters(counters);
  return {};
}

Status SnapshotReader::holder(std::string_view line, Events& events) {
  LineCursor cursor(line, true);
  Holder holder = parse_holder(cursor);
  if (cursor.ok() && seen_.tasks != 0)
    cursor.fail(0, "found a descriptor after a task, expected all descriptors before the tasks");
  if (!cursor.ok()) return lines_.flawed('D', cursor.flaw());
  events.on_holder(std::move(holder));
  return {};
}

Status SnapshotReader::task(std::string_view line, Events& events) {
  if (Status status = close_area(events); !status) return status;
  LineCursor cursor(line, header_.version >= 2);
  Task task = parse_task(cursor, header_.version);
  if (!cursor.ok()) return lines_.flawed('T', cursor.flaw());
  ++seen_.tasks;
  has_task_ = true;
  last_of_area_.reset();
  events.on_task(std::move(task));
  return {};
}

Status SnapshotReader::vma(std::string_view line, Events& events) {
  if (Status status = close_area(events); !status) return status;
  if (!header_.has_areas)
    return lines_.problem(1, "V: found in a snapshot whose header says areas=none");
  if (!has_task_) return lines_.problem(1, "V: without a T: before it");
  LineCursor cursor(line, header_.version >= 2);
  Vma vma = parse_vma(cursor, header_, is_strict_ ? nullptr : &hints_);
  if (!cursor.ok()) return lines_.flawed('V', cursor.flaw());
  if (last_of_area_ && vma.start <= *last_of_area_)
    return lines_.problem(
        4,
        fmt::format(
            "V: start address: found {:08X}, expected one above {:08X}, where the area before ends",
            vma.start, *last_of_area_));
  ++seen_.areas;
  last_of_area_ = vma.last;
  area_.emplace(vma, header_);
  events.on_vma(std::move(vma));
  return {};
}

Status SnapshotReader::counts(std::string_view line, Events& events) {
  if (!area_) return lines_.problem(1, "P: without a V: before it");
  LineCursor cursor(line, header_.version >= 2);
  const PageCounts counts = area_->read_counts(cursor, lines_.line());
  if (!cursor.ok()) return lines_.flawed('P', cursor.flaw());
  events.on_counts(counts);
  return {};
}

/// M: or S:.
Status SnapshotReader::list(char letter, Events& events) {
  const bool is_mappings = letter == 'M';
  if (!area_)
    return lines_.problem(
        1, is_mappings ? "M: without a V: before it" : "S: without a V: and a P: before it");
  return is_mappings ? entries_.mappings(*area_, header_, events)
                     : entries_.swapped(*area_, events);
}

/// An error here does not concern the line that follows, so that line is kept even with keep_going.
Status SnapshotReader::close_area(Events& events) {
  if (!area_) return {};
  seen_.pages += area_->pages();
  seen_.swapped += area_->swapped();
  if (header_.version == 1 && area_->is_miscounted()) ++notes_.wrong_counts;
  const auto flaw = area_->check();
  area_.reset();
  if (!flaw) return {};
  const Error error = lines_.problem(flaw->column, flaw->text);
  if (!lines_.drop(error)) return error;
  events.on_elided();
  damaged_ = true;
  return {};
}

Status SnapshotReader::ram(const RecordLine& line, Events& events) {
  if (Status status = close_area(events); !status) return status;
  has_task_ = false;
  LineCursor cursor(line.text, true);
  ram_.read(line.letter(), cursor, events);
  return cursor.ok() ? Status() : lines_.flawed(line.letter(), cursor.flaw());
}

Status SnapshotReader::totals(std::string_view line, Events& events) {
  if (Status status = close_area(events); !status) return status;
  LineCursor cursor(line, true);
  const auto [stated, end] = parse_end(cursor);
  if (!cursor.ok()) return lines_.flawed('E', cursor.flaw());
  end_ = end;
  notes_.excluded += end.excluded;
  if (!damaged_ && stated != seen_)
    return lines_.problem(
        4,
        fmt::format("E: says {} tasks, {} areas, {} pages, {} swapped; the file has {}, {}, {}, {}",
                    stated.tasks, stated.areas, stated.pages, stated.swapped, seen_.tasks,
                    seen_.areas, seen_.pages, seen_.swapped));
  if (const std::string mismatch = ram_.mismatch(); !damaged_ && !mismatch.empty())
    return lines_.problem(1, mismatch);
  return {};
}

}  // namespace physmem
