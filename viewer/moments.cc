// SPDX-License-Identifier: MIT
#include "program/errors.h"
#include "viewer/moments.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "analyzer/analyze/census.h"
#include "analyzer/input/fleet_notes.h"
#include "analyzer/input/notes.h"
#include "analyzer/parse/read_progress.h"
#include "analyzer/parse/snapshot_reader.h"
#include "analyzer/shape/view.h"
#include "viewer/changes_message.h"
#include "viewer/snapshot_message.h"

namespace physmem::view {
namespace {

/// Message 4 has 16 bits for the number of a snapshot.
constexpr std::size_t kMaxMoments = std::numeric_limits<std::uint16_t>::max();

std::uint64_t too_far(const ShownSnapshot& shown) {
  return std::max(shown.mapped.too_far(), shown.ram.too_far());
}

/// Frames and mappings that the page does not show.
struct HiddenFrames {
  std::uint64_t unowned = 0;
  std::uint64_t too_far = 0;

  std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    if (unowned != 0)
      all.push_back(counted(unowned, "mapping") +
                    " of the zero page or of memory without struct page: without owner, not shown");
    if (too_far != 0)
      all.push_back(counted(too_far, "page") +
                    " in frames beyond the first 2^28, which the page cannot hold; not shown");
    return all;
  }
};

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// The notes on a series: one for each kind, with the sum over its snapshots.
class SeriesNotes {
 public:
  /// `input`: its name. `all`: the sentences on this snapshot.
  void add(const std::string& input, const std::vector<std::string>& all, const ReadNotes& notes,
           const Census& census, const HiddenFrames& hidden) {
    inputs_.insert(input);
    if (++snapshots_ == 1) first_ = all;
    sums_.add(notes, census.header(), census.repeated_areas());
    hidden_.unowned += hidden.unowned;
    hidden_.too_far += hidden.too_far;
    ReadNotes damage;
    damage.dropped_lines = notes.dropped_lines;
    damage.truncated = notes.truncated;
    damage.first_problem = notes.first_problem;
    append(damaged_, physmem::sentences(damage, {}, 0));
  }

  std::vector<std::string> sentences() const {
    const std::string name = inputs_.size() == 1 ? *inputs_.begin() + ": " : "";
    std::vector<std::string> all;
    if (snapshots_ < 2) {
      for (const std::string& text : first_) all.push_back(name + text);
      return all;
    }
    for (const std::string& text : sums_.sentences(true)) all.push_back(name + text);
    for (const std::string& text : hidden_.sentences())
      all.push_back(name + counted(snapshots_, "snapshot") + " together: " + text);
    for (const std::string& text : damaged_) all.push_back(name + text);
    return all;
  }

 private:
  std::set<std::string> inputs_;
  std::uint64_t snapshots_ = 0;
  std::vector<std::string> first_;    ///< on the first snapshot
  std::vector<std::string> damaged_;  ///< with the place of the damage
  FleetNotes sums_;
  HiddenFrames hidden_;
};

class MomentReader {
 public:
  /// With `compares`, the first two snapshots are compared.
  MomentReader(const MomentLimits& limits, const std::function<void(const std::string&)>& note,
               bool compares)
      : limits_(limits), note_(note), compares_(compares) {}

  /// All snapshots of a file.
  Status read(NamedInput input) {
    name_ = std::move(input.name);
    ReadProgress progress(*input.bytes, name_);
    SnapshotReader reader(progress, name_, {limits_.keep_going});
    while (true) {
      const auto found = is_full_ ? skip(reader) : next(reader);
      if (!found) return damaged(found.error());
      if (!*found) return {};
    }
  }

  Moments done() {
    for (const std::string& text : notes_.sentences()) note_(text);
    if (left_out_ != 0)
      note_series(counted(left_out_, "later snapshot") + " not shown: there is room for " +
                  std::to_string(limits_.bytes >> 20) + " MiB");
    if (compares_ && moments_.snapshots.size() == 2) moments_.series.changes = changes_.text();
    moments_.hello = snapshot_hello(header_, frames_end_, moments_.series);
    return std::move(moments_);
  }

 private:
  Result<bool> next(SnapshotReader& reader) {
    ShownSnapshot shown;
    std::vector<Analysis*> analyses = shown.analyses();
    if (compares_)
      for (Analysis* const analysis : changes_.analyses()) analyses.push_back(analysis);
    Census census(analyses);
    auto found = reader.next(census);
    if (!found || !*found) return found;
    if (const Header& header = census.header();
        !header.has_areas && header.ram != Header::Ram::kAll)
      return bad_input(name_ +
                       ": found only tasks and counters, expected areas, pages or frames; "
                       "physmem faults and physmem top show such snapshots");
    changes_.took();
    shown.notes = sentences(reader.notes(), census.header(), census.repeated_areas());
    const HiddenFrames hidden{shown.mapped.unowned(), too_far(shown)};
    append(shown.notes, hidden.sentences());
    notes_.add(name_, shown.notes, reader.notes(), census, hidden);
    if (reader.notes().data_is_missing() || !census.header().has_pages ||
        census.header().pfn_hidden || hidden.too_far != 0)
      moments_.data_is_missing = true;
    keep(shown);
    return true;
  }

  void keep(const ShownSnapshot& shown) {
    const std::size_t number = moments_.snapshots.size();
    std::string bytes = snapshot_bytes(shown, static_cast<std::uint16_t>(number));
    if (number == kMaxMoments || (number != 0 && bytes_ + bytes.size() > limits_.bytes)) {
      is_full_ = true;
      ++left_out_;
      return;
    }
    bytes_ += bytes.size();
    moments_.snapshots.push_back(std::move(bytes));
    moments_.series.times_ms.push_back(time_ms(shown.mapped.header()));
    if (number != 0) return;
    header_ = shown.mapped.header();
    frames_end_ = frames_end(shown);
  }

  Result<bool> skip(SnapshotReader& reader) {
    Events rest;
    auto found = reader.next(rest);
    if (found && *found) ++left_out_;
    return found;
  }

  /// What was read before is shown.
  Status damaged(const Error& error) {
    const std::size_t n = moments_.snapshots.size();
    if (n == 0) return error;
    const std::string before =
        n == 1 ? "the first snapshot is" : "the first " + std::to_string(n) + " snapshots are";
    note_series(name_ + ": " + before + " shown; the next one is damaged: " + error.text);
    moments_.data_is_missing = true;
    return {};
  }

  void note_series(const std::string& text) {
    note_(text);
    moments_.series.notes.push_back(text);
  }

  const MomentLimits& limits_;
  const std::function<void(const std::string&)>& note_;
  bool compares_;
  TwoSnapshots changes_;
  std::string name_;
  SeriesNotes notes_;
  Moments moments_;
  Header header_;  ///< of the first snapshot
  std::uint64_t frames_end_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t left_out_ = 0;  ///< later snapshots for which there was no room
  bool is_full_ = false;
};

}  // namespace

Result<Moments> read_moments(std::vector<NamedInput> inputs, const MomentLimits& limits,
                             const std::function<void(const std::string&)>& note) {
  MomentReader reader(limits, note, inputs.size() == 2);
  for (NamedInput& input : inputs)
    if (Status status = reader.read(std::move(input)); !status) return status.error();
  return reader.done();
}

}  // namespace physmem::view
