// SPDX-License-Identifier: MIT
#include "viewer/snapshot_run.h"

#include <algorithm>
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

std::string input_name(const Options& options) {
  return options.file == "-" ? "standard input" : options.file;
}

std::uint64_t too_far(const ShownSnapshot& shown) {
  return std::max(shown.mapped.too_far(), shown.ram.too_far());
}

void note_frames(ShownSnapshot& shown) {
  const FrameRuns& runs = shown.mapped;
  std::vector<std::string>& notes = shown.notes;
  if (runs.unowned() != 0)
    notes.push_back(counted(runs.unowned(), "mapping") +
                    " of the zero page or of memory without struct page: without owner, not shown");
  if (too_far(shown) != 0)
    notes.push_back(counted(too_far(shown), "page") +
                    " in frames beyond the first 2^28, which the page cannot hold; not shown");
}

/// Reads the first snapshot of the file, because a page shows one moment. Returns whether data is
/// missing.
Result<bool> read(const Serving& serving, ByteSource& bytes, ShownSnapshot& shown) {
  const std::string name = input_name(serving.options);
  ReadProgress progress(bytes, name);
  SnapshotReader reader(progress, name, {serving.options.keep_going});
  Census census(shown.analyses());
  if (const auto found = reader.next(census); !found) return found.error();
  shown.notes = sentences(reader.notes(), census.header(), census.repeated_areas());
  note_frames(shown);
  const bool is_missing = reader.notes().data_is_missing() || !census.header().has_pages ||
                          census.header().pfn_hidden || too_far(shown) != 0;
  Events rest;
  const auto more = reader.next(rest);
  if (!more) {
    shown.notes.emplace_back("the first snapshot is shown; the next one is damaged: " +
                             more.error().text);
    return true;
  }
  if (*more) shown.notes.emplace_back("the file contains more snapshots: this is the first one");
  return is_missing;
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
    ShownSnapshot shown;
    const auto is_missing = read(serving, *bytes, shown);
    if (!is_missing) return report_error(serving.messages, kProgramName, is_missing.error());
    report_notes(serving, shown.notes);
    shared.hello = snapshot_hello(shown.mapped);
    shared.snapshot = snapshot_bytes(shown);
    data_is_missing = *is_missing;
  }  // frees the runs before their message is sent or compressed
  bytes.reset();
  if (!serving.options.html.empty()) return write_html(serving, shared.snapshot, data_is_missing);
  boost::asio::io_context io;
  return serve(
      io, serving, std::move(port), [&shared] { return std::make_unique<SnapshotView>(shared); },
      [] {}, [] {});
}

}  // namespace physmem::view
