// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/leak_search.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace physmem {
namespace {

/// Order of regions in the rows.
int rank(Region region) {
  switch (region) {
    case Region::kHeap:
      return 0;
    case Region::kAppBss:
    case Region::kLibBss:
    case Region::kStack:
      return 1;
    case Region::kSharedMemory:
      return 2;
    default:
      return 3;
  }
}

bool comes_before(const LeakRow& a, const LeakRow& b) {
  const auto key = [](const LeakRow& row) {
    return std::tuple(!row.verdict.is_leak(), row.has_ended, row.is_of_file, rank(row.region),
                      -row.verdict.fit.slope);
  };
  return key(a) < key(b);
}

std::uint64_t pages_of(const Area& area) {
  return area.tally.resident() + area.tally.swapped;
}

/// Pages of pages_of() that are not the file's own. Unlisted pages in swap are the file's (a
/// tmpfs); other pages in swap may be copies.
std::uint64_t copies_of(const Area& area) {
  return area.tally.anon.pages + area.tally.swapped - area.counts.unlisted;
}

}  // namespace

/// Without a wall clock, the reboot is assumed to take no time.
void LeakSearch::begin_boot(const Header& header) {
  std::erase_if(processes_, [this](const auto& entry) {
    return entry.second.boot == boot_ && drop_unless_leak(entry.second);
  });
  ++boot_;
  boot_ns_ = at_ns_;
  if (const auto gap = order_.gap())
    boot_ns_ += static_cast<std::uint64_t>(*gap * 1e9) - header.uptime_ns.value_or(0);
}

void LeakSearch::on_header(const Header& header) {
  const SeriesStep step = order_.add(header);
  if (order_.is_left_out()) return;
  if (step == SeriesStep::kOtherBoot) begin_boot(header);
  ++snapshots_;
  page_size_ = static_cast<double>(header.page_size.bytes);
  without_areas_ += header.has_areas ? 0 : 1;
  const std::uint64_t now = boot_ns_ + header.uptime_ns.value_or(0);
  if (snapshots_ == 1) first_ns_ = now;
  has_times_ = has_times_ && header.uptime_ns && (snapshots_ == 1 || now > at_ns_);
  at_ns_ = next_ns_ = now;
}

void LeakSearch::on_counters(std::span<const Counter> counters) {
  if (order_.is_left_out()) return;
  for (const Counter& counter : counters) {
    if (counter.name == "at.uptime_ns") next_ns_ = std::max(boot_ns_ + counter.value, at_ns_);
    if (counter.name == "mem.MemAvailable_kB") available_ = counter.value << 10;
  }
}

void LeakSearch::on_area(const Process& process, const Area&) {
  // The counters of the next process come before this process is complete.
  if (process.areas.size() == 1) task_ns_ = next_ns_;
}

void LeakSearch::on_process(const Process& process) {
  if (process.areas.empty() || order_.is_left_out()) return;
  History& history = history_of(process);
  has_times_ = has_times_ && (history.samples.empty() || history.samples.back().at_ns < task_ns_);
  history.samples.push_back({task_ns_, snapshots_});
  for (const Area& area : process.areas) add_to_regions(history, area);
  for (auto& [kind, pages] : history.regions) pages.resize(history.samples.size());
  add_areas(history, process);
}

/// After a gap, a process id may belong to another process, unless a start time excludes it.
bool LeakSearch::may_go_on(const History& history) const {
  return history.boot == boot_ &&
         (history.id.start_time || history.samples.back().snapshot + 1 == snapshots_);
}

LeakSearch::History& LeakSearch::history_of(const Process& process) {
  const ProcessId id = ProcessId::of(process.task);
  const std::optional<UnitKey> program = program_of(process);
  const auto [first, end] = processes_.equal_range(id.pid);
  const auto known = std::find_if(first, end, [&](const auto& entry) {
    return entry.second.id == id && may_go_on(entry.second);
  });
  History& history = known == end ? processes_.emplace(id.pid, History{})->second : known->second;
  if (is_exec(history.program, program)) history = {};
  history.id = id;
  history.boot = boot_;
  history.name = process.task.comm;
  history.program = program;
  return history;
}

/// The last element of `pages` is the current sample.
void LeakSearch::add_to_regions(History& history, const Area& area) {
  const auto add = [&](Region region, bool is_of_file, std::uint64_t n) {
    if (n == 0) return;
    Pages& pages = history.regions[{region, is_of_file}];
    pages.resize(history.samples.size());
    pages.back() += n;
  };
  const bool is_of_file = has_file(area.vma);
  add(area.regions.file, is_of_file, pages_of(area) - copies_of(area));
  add(area.regions.anon, false, copies_of(area));
}

void LeakSearch::add_areas(History& history, const Process& process) {
  AreaGroups groups(history.tracks.size());
  std::vector<AreaPlace> places;
  std::vector<std::size_t> track_of;
  for (const Area& area : process.areas) {
    places.push_back(AreaPlace::of(area.vma));
    const std::vector<std::size_t> before = continued(history.places, places.back());
    track_of.push_back(before.empty() ? groups.add() : history.track_of[before.front()]);
    for (const std::size_t i : before) groups.join(track_of.back(), history.track_of[i]);
  }
  history.places = std::move(places);
  history.track_of = std::move(track_of);
  merge_tracks(history, groups);
  for (std::size_t i = 0; i < process.areas.size(); ++i) {
    const Area& area = process.areas[i];
    AreaTrack& track = history.tracks[history.track_of[i]];
    const bool is_first = track.pages.size() < history.samples.size();
    const bool is_of_file = has_file(area.vma);
    const std::uint64_t copies = is_of_file ? copies_of(area) : 0;
    track.pages.resize(history.samples.size());
    track.pages.back() += pages_of(area) - copies;
    if (copies != 0 || !track.copies.empty()) track.copies.resize(history.samples.size());
    if (copies != 0) track.copies.back() += copies;
    if (is_first) track.start = area.vma.start;
    track.last = area.vma.last;
    track.kind = {area.regions.file, is_of_file};
    track.copies_kind = {area.regions.anon, false};
    track.unit = area.vma.unit;
  }
  look_at_ends(history);
}

void LeakSearch::add_pages(Pages& sum, const Pages& part) {
  sum.resize(std::max(sum.size(), part.size()));
  for (std::size_t k = 0; k < part.size(); ++k) sum[k] += part[k];
}

/// Adds up tracks that were merged, and drops those without an area.
void LeakSearch::merge_tracks(History& history, AreaGroups& groups) {
  history.tracks.resize(groups.size());
  std::map<std::size_t, std::size_t> place_of;  // index of a group's track among those that remain
  for (std::size_t& track : history.track_of)
    track = place_of.try_emplace(groups.find(track), place_of.size()).first->second;
  std::vector<AreaTrack> tracks(place_of.size());
  for (std::size_t i = 0; i < history.tracks.size(); ++i) {
    const auto found = place_of.find(groups.find(i));
    if (found == place_of.end()) continue;
    AreaTrack& sum = tracks[found->second];
    const AreaTrack& part = history.tracks[i];
    add_pages(sum.pages, part.pages);
    add_pages(sum.copies, part.copies);
    if (part.fixed_start)
      sum.fixed_start = std::min(*part.fixed_start, sum.fixed_start.value_or(*part.fixed_start));
    sum.fixed_last = std::max(sum.fixed_last, part.fixed_last);
  }
  history.tracks = std::move(tracks);
}

void LeakSearch::look_at_ends(History& history) {
  const bool is_begin = history.samples.size() == 1;
  for (AreaTrack& track : history.tracks) {
    if (is_begin) std::tie(track.fixed_start, track.fixed_last) = std::tie(track.start, track.last);
    if (track.fixed_start != track.start) track.fixed_start.reset();
    if (track.fixed_last != track.last) track.fixed_last.reset();
  }
}

/// Keeps ended processes only if they leaked. Returns true if this one can be erased.
bool LeakSearch::drop_unless_leak(const History& history) {
  if (leaks(history)) return false;
  ++dropped_;
  dropped_early_ += history.samples.size() < kMinSamples ? 1 : 0;
  return true;
}

void LeakSearch::on_end() {
  if (order_.is_left_out()) return;
  std::erase_if(processes_, [this](const auto& entry) {
    const History& history = entry.second;
    const std::size_t away = snapshots_ - history.samples.back().snapshot;
    // Judged once, when it can no longer continue.
    return history.boot == boot_ && away == (history.id.start_time ? kMaxGap + 1 : 1) &&
           drop_unless_leak(history);
  });
}

bool LeakSearch::leaks(const History& history) const {
  std::vector<LeakRow> rows;
  add_rows(history, rows);
  return std::any_of(rows.begin(), rows.end(),
                     [](const LeakRow& row) { return row.verdict.is_leak(); });
}

bool LeakSearch::is_alive(const History& history) const {
  return history.samples.back().snapshot == snapshots_;
}

std::size_t LeakSearch::processes() const {
  return static_cast<std::size_t>(
      std::count_if(processes_.begin(), processes_.end(),
                    [this](const auto& entry) { return is_alive(entry.second); }));
}

std::size_t LeakSearch::ended() const {
  return dropped_ + processes_.size() - processes();
}

std::size_t LeakSearch::ended_early() const {
  const auto is_early = [this](const auto& entry) {
    return !is_alive(entry.second) && entry.second.samples.size() < kMinSamples;
  };
  return dropped_early_ +
         static_cast<std::size_t>(std::count_if(processes_.begin(), processes_.end(), is_early));
}

double LeakSearch::span() const {
  return has_times_ ? static_cast<double>(at_ns_ - first_ns_) / 1e9
                    : static_cast<double>(snapshots_ - 1);
}

std::vector<double> LeakSearch::times_of(const History& history) const {
  std::vector<double> times;
  times.reserve(history.samples.size());
  for (const Sample& sample : history.samples)
    times.push_back(has_times_ ? static_cast<double>(sample.at_ns - first_ns_) / 1e9
                               : static_cast<double>(sample.snapshot - 1));
  return times;
}

void LeakSearch::add_rows(const History& history, std::vector<LeakRow>& rows) const {
  const std::vector<double> times = times_of(history);
  const auto add = [&](LeakRow row, const Pages& pages, Kind kind, bool is_piece) {
    row.process = history.name;
    row.pid = history.id.pid;
    row.has_ended = !is_alive(history);
    row.region = kind.region;
    row.is_of_file = kind.is_of_file;
    row.time = times;
    row.first_pages = pages.front();
    row.last_pages = pages.back();
    row.pages.assign(pages.begin(), pages.end());
    row.verdict = judge({row.time, row.pages, row.is_of_file, row.region == Region::kSharedMemory,
                         is_piece, page_size_, min_duration()});
    // A compiler also grows until it ends, and then frees everything.
    if (row.has_ended) row.verdict.confidence = Confidence::kLow;
    rows.push_back(std::move(row));
  };
  std::set<Kind> leaking;
  for (const auto& [kind, pages] : history.regions) {
    add({}, pages, kind, false);
    if (rows.back().verdict.is_leak()) leaking.insert(kind);
  }
  for (const AreaTrack& track : history.tracks) {
    LeakRow row;
    row.is_area = true;
    row.unit = track.unit;
    row.start = track.start;
    row.last = track.last;
    const bool moved = track.has_moved();
    if (track.copies.empty() || track.pages != Pages(track.pages.size()))
      add(row, track.pages, track.kind, moved && !leaking.contains(track.kind));
    if (!track.copies.empty())
      add(row, track.copies, track.copies_kind, moved && !leaking.contains(track.copies_kind));
  }
}

std::vector<LeakRow> LeakSearch::rows() const {
  std::vector<LeakRow> rows;
  for (const auto& [pid, history] : processes_) add_rows(history, rows);
  std::erase_if(rows, [](const LeakRow& row) { return row.has_ended && !row.verdict.is_leak(); });
  std::stable_sort(rows.begin(), rows.end(), comes_before);
  return rows;
}

}  // namespace physmem
