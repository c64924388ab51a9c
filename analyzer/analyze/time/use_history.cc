// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/use_history.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace physmem {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

float pages_of(const MemoryUseRow& row, UseMeasure measure) {
  switch (measure) {
    case UseMeasure::kUss:
      return row.has_unique() ? static_cast<float>(row.use.unique) : kUnknown;
    case UseMeasure::kPss:
      return row.has_share() ? static_cast<float>(row.use.share.pages()) : kUnknown;
    case UseMeasure::kRss:
      return static_cast<float>(row.use.resident);
    case UseMeasure::kSwap:
      return static_cast<float>(row.use.swapped());
    case UseMeasure::kVirtual:
      break;
  }
  return static_cast<float>(row.use.virtual_pages);
}

}  // namespace

float UseTrack::at(std::size_t snapshot) const {
  return snapshot < first || snapshot - first >= pages.size() ? kUnknown : pages[snapshot - first];
}

/// fmin() and fmax() prefer numbers to NaN.
float UseTrack::lowest() const {
  float lowest = kUnknown;
  for (const float value : pages) lowest = std::fmin(lowest, value);
  return lowest;
}

float UseTrack::highest() const {
  float highest = kUnknown;
  for (const float value : pages) highest = std::fmax(highest, value);
  return highest;
}

UseHistory::Key UseHistory::key_of(const MemoryUseRow& row) {
  return {row.name, row.pid, row.uid ? *row.uid + 1 : 0, row.cgroup};
}

void UseHistory::on_header(const Header& header) {
  MemoryUses::on_header(header);
  order_.add(header);
  if (order_.is_left_out()) return;
  has_times_ = has_times_ && header.time_ns.has_value();
  times_ns_.push_back(header.time_ns.value_or(0));
}

void UseHistory::on_end() {
  MemoryUses::on_end();
  if (order_.is_left_out()) return;
  const std::vector<MemoryUseRow> rows = this->rows();
  const auto has_share = [](const MemoryUseRow& row) { return row.has_share(); };
  if (!measure_)
    measure_ =
        std::any_of(rows.begin(), rows.end(), has_share) ? UseMeasure::kPss : UseMeasure::kRss;
  const std::size_t snapshot = times_ns_.size() - 1;
  for (const MemoryUseRow& row : rows) {
    UseTrack& track = tracks_[key_of(row)];
    if (track.pages.empty()) track.first = snapshot;
    track.row = row;
    track.pages.resize(snapshot - track.first, kUnknown);
    track.pages.push_back(pages_of(row, *measure_));
  }
}

std::vector<double> UseHistory::times() const {
  std::vector<double> times;
  times.reserve(times_ns_.size());
  for (std::size_t i = 0; i < times_ns_.size(); ++i)
    times.push_back(
        has_times_
            ? (static_cast<double>(times_ns_[i]) - static_cast<double>(times_ns_.front())) / 1e9
            : static_cast<double>(i + 1));
  return times;
}

std::vector<const UseTrack*> UseHistory::tracks() const {
  std::vector<std::pair<float, const UseTrack*>> sized;
  for (const auto& [key, track] : tracks_)
    if (const float highest = track.highest(); !std::isnan(highest))
      sized.emplace_back(highest, &track);
  std::stable_sort(sized.begin(), sized.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const UseTrack*> tracks;
  tracks.reserve(sized.size());
  for (const auto& [highest, track] : sized) tracks.push_back(track);
  return tracks;
}

UseTrack sum_of(const std::vector<const UseTrack*>& tracks, std::size_t snapshots) {
  UseTrack sum;
  sum.pages.assign(snapshots, 0);
  for (const UseTrack* const track : tracks)
    for (std::size_t i = 0; i < track->pages.size(); ++i)
      if (!std::isnan(track->pages[i])) sum.pages[track->first + i] += track->pages[i];
  return sum;
}

}  // namespace physmem
