// SPDX-License-Identifier: MIT
#include "tools/trace/replay.h"

#include <fmt/format.h>

#include <utility>

#include "paging/source/file_source.h"

namespace physmem::record {
namespace {

Replay::Notes notes_of(const EventSource& source) {
  const auto& file = static_cast<const FileSource&>(source);
  const TraceNotes& notes = file.notes();
  Replay::Notes sentences;
  if (notes.is_truncated)
    sentences.missing = "the end of the trace is missing: " + notes.first_problem;
  if (notes.dropped_lines != 0)
    sentences.missing = fmt::format(
        "{} lines were dropped, the first: {}{}", notes.dropped_lines, notes.first_problem,
        notes.is_truncated ? "; and the end of the trace is missing" : "");
  if (notes.other_lines != 0)
    sentences.skipped = fmt::format("{} lines of the log have no record", notes.other_lines);
  if (notes.unknown_records != 0)
    sentences.skipped = fmt::format("{} lines have a letter that is unknown to this version",
                                    notes.unknown_records);
  if (file.order().late() != 0)
    sentences.skipped += fmt::format("{}{} events are too far out of order to be sorted",
                                     sentences.skipped.empty() ? "" : "; ", file.order().late());
  return sentences;
}

}  // namespace

Result<Replay> open_replay(const std::string& file, double speed, bool keep_going) {
  auto source = FileSource::open(file, {speed, keep_going});
  if (!source) return source.error();
  return Replay{std::move(*source), notes_of};
}

}  // namespace physmem::record
