// SPDX-License-Identifier: MIT
#include "viewer/snapshot_run.h"

#include <ostream>
#include <utility>
#include <vector>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/frame_runs.h"
#include "analyzer/cli/notes.h"
#include "analyzer/parse/read_progress.h"
#include "analyzer/parse/snapshot_reader.h"
#include "analyzer/shape/view.h"
#include "program/messages.h"
#include "program/output_file.h"
#include "viewer/snapshot_message.h"
#include "viewer/snapshot_view.h"

namespace physmem::view {
namespace {

struct ReadSnapshot {
  FrameRuns runs;
  std::vector<std::string> notes;
  bool data_is_missing = false;
};

std::string input_name(const Options& options) {
  return options.file == "-" ? "standard input" : options.file;
}

void note_frames(const FrameRuns& runs, std::vector<std::string>& notes) {
  if (runs.unowned() != 0)
    notes.push_back(counted(runs.unowned(), "mapping") +
                    " of the zero page or of memory without struct page: without owner, not shown");
  if (runs.too_far() != 0)
    notes.push_back(counted(runs.too_far(), "page") +
                    " in frames beyond the first 2^28, which the page cannot hold; not shown");
}

/// Reads the first snapshot of the file, because a page shows one moment.
Result<ReadSnapshot> read(const Serving& serving, ByteSource& bytes) {
  const std::string name = input_name(serving.options);
  ReadProgress progress(bytes, name);
  SnapshotReader reader(progress, name, {serving.options.keep_going});
  ReadSnapshot snapshot;
  Census census({&snapshot.runs});
  if (const auto found = reader.next(census); !found) return found.error();
  snapshot.notes = sentences(reader.notes(), census.header(), census.repeated_areas());
  snapshot.data_is_missing = reader.notes().data_is_missing() || !census.header().has_pages ||
                             census.header().pfn_hidden || snapshot.runs.too_far() != 0;
  note_frames(snapshot.runs, snapshot.notes);
  Events rest;
  const auto more = reader.next(rest);
  if (!more) {
    snapshot.notes.emplace_back("the first snapshot is shown; the next one is damaged: " +
                                more.error().text);
    snapshot.data_is_missing = true;
  } else if (*more) {
    snapshot.notes.emplace_back("the file contains more snapshots: this is the first one");
  }
  return snapshot;
}

void report_notes(const Serving& serving, const std::vector<std::string>& notes) {
  for (const std::string& note : notes)
    report(serving.messages, kProgramName, input_name(serving.options) + ": " + note);
}

Exit write_html(const Serving& serving, const std::string& snapshot, bool data_is_missing) {
  const auto page = page_with(serving.page, snapshot);
  if (!page) return report_error(serving.messages, kProgramName, page.error());
  OutputFile file(serving.options.html, OutputKind::kSnapshot);
  file.stream() << *page;
  const std::string problem = file.commit();
  if (file.closed_pipe()) return Exit::kIo;
  if (!problem.empty())
    return report_error(serving.messages, kProgramName, {Error::Kind::kIo, problem});
  return data_is_missing ? Exit::kDataMissing : Exit::kDone;
}

}  // namespace

Exit show_snapshot(const Serving& serving, OpenPort port, std::unique_ptr<ByteSource> bytes) {
  SnapshotShared shared;
  bool data_is_missing = false;
  {
    const auto snapshot = read(serving, *bytes);
    if (!snapshot) return report_error(serving.messages, kProgramName, snapshot.error());
    report_notes(serving, snapshot->notes);
    shared.hello = snapshot_hello(snapshot->runs);
    shared.snapshot = snapshot_bytes(snapshot->runs, snapshot->notes);
    data_is_missing = snapshot->data_is_missing;
  }  // frees the runs before their message is sent or compressed
  bytes.reset();
  if (!serving.options.html.empty()) return write_html(serving, shared.snapshot, data_is_missing);
  boost::asio::io_context io;
  return serve(
      io, serving, std::move(port), [&shared] { return std::make_unique<SnapshotView>(shared); },
      [] {}, [] {});
}

}  // namespace physmem::view
