// SPDX-License-Identifier: MIT
// Rows of MemoryUses over the snapshots of a series.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/series_order.h"

namespace physmem {

/// What of a row is followed.
enum class UseMeasure { kUss, kPss, kRss, kSwap, kVirtual };

/// A process, or a group of them, in the snapshots of a series. A process is identified by its id
/// and name, so a process that changes its name (exec) gets another track.
struct UseTrack {
  MemoryUseRow row;          ///< whose sizes are of the last snapshot that has it
  std::size_t first = 0;     ///< snapshot that has it first, from 0
  std::vector<float> pages;  ///< in each snapshot from that one on; NaN: unknown, or it is absent

  /// In a snapshot; NaN also before the first and after the last that has it.
  float at(std::size_t snapshot) const;
  float lowest() const;
  float highest() const;
};

/// Memory: 4 bytes for each process in each snapshot, and some 300 for each process.
class UseHistory : public MemoryUses {
 public:
  /// Without a measure: PSS, or RSS if the first snapshot does not have it.
  explicit UseHistory(UseGrouping grouping = UseGrouping::kProcess,
                      std::vector<NamePattern> units = {}, std::optional<UseMeasure> measure = {})
      : MemoryUses(grouping, std::move(units)), measure_(measure) {}

  void on_header(const Header& header) override;
  void on_end() override;

  UseMeasure measure() const { return measure_.value_or(UseMeasure::kPss); }
  const SeriesOrder& order() const { return order_; }
  /// Of each snapshot: seconds since the first by the clock, or its number if one has no time.
  std::vector<double> times() const;
  bool has_times() const { return has_times_; }
  /// Those with a known size, the highest first.
  std::vector<const UseTrack*> tracks() const;

 private:
  using Key = std::tuple<std::string, std::uint64_t, std::uint64_t, std::string>;
  static Key key_of(const MemoryUseRow& row);

  std::optional<UseMeasure> measure_;
  SeriesOrder order_;
  std::vector<std::uint64_t> times_ns_;
  bool has_times_ = true;
  std::map<Key, UseTrack> tracks_;
};

/// The sum of tracks in each snapshot; 0 where none of them is known.
UseTrack sum_of(const std::vector<const UseTrack*>& tracks, std::size_t snapshots);

}  // namespace physmem
