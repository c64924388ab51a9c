// SPDX-License-Identifier: MIT
// An analysis of R: lines by node, zone or memory tier, or of some of them only: one fold for each
// group of frames.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/ram_groups.h"

namespace physmem {

/// In a series, the folds get one snapshot after another. Every fold gets all tasks, areas and
/// owners, but only the runs of its group. The kernel's totals are of the whole machine, so a fold
/// of a part of it does not get them. `Fold` is an Analysis that can be copied. Memory: that of a
/// fold; with --by, of one for each group, and one more.
template <class Fold>
class RamSplit : public Analysis {
 public:
  explicit RamSplit(RamSelection selection = {}, Fold fold = {})
      : groups_(std::move(selection)), folds_{std::move(fold)} {
    if (groups_.is_split()) pristine_ = folds_.front();
  }

  const RamGroups& groups() const { return groups_; }
  bool is_partial() const { return groups_.is_split() || groups_.is_filtered(); }
  /// One for each group, at least one.
  const std::deque<Fold>& folds() const { return folds_; }
  const Fold& front() const { return folds_.front(); }

  void on_header(const Header& header) override {
    groups_.on_header();
    zones_.clear();
    has_begun_ = false;
    each([&](Fold& fold) { fold.on_header(header); });
  }
  void on_counters(std::span<const Counter> counters) override {
    groups_.on_counters(counters);
    if (!is_partial()) return each([&](Fold& fold) { fold.on_counters(counters); });
    const std::vector<Counter> others = without_totals(counters);
    each([&](Fold& fold) { fold.on_counters(others); });
  }
  void on_task(const Task& task) override {
    each([&](Fold& fold) { fold.on_task(task); });
  }
  void on_area(const Process& process, const Area& area) override {
    each([&](Fold& fold) { fold.on_area(process, area); });
  }
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override {
    each([&](Fold& fold) { fold.on_pages(process, area, runs); });
  }
  void on_area_end(const Process& process, const Area& area) override {
    each([&](Fold& fold) { fold.on_area_end(process, area); });
  }
  void on_process(const Process& process) override {
    each([&](Fold& fold) { fold.on_process(process); });
  }
  void on_zone(const Zone& zone) override {
    groups_.on_zone(zone);
    zones_.push_back(zone);
  }
  void on_owner(const RamOwner& owner) override {
    begin();
    each([&](Fold& fold) { fold.on_owner(owner); });
  }
  void on_ram(const RamRun& run) override {
    begin();
    groups_.for_each(run, [this](std::size_t group, const RamRun& part) {
      add_folds(group + 1);
      folds_[group].on_ram(part);
    });
  }
  void on_end() override {
    begin();
    add_folds(groups_.size());
    each([&](Fold& fold) { fold.on_end(); });
  }
  bool needs_first_seen() const override { return front().needs_first_seen(); }
  bool needs_new_frames() const override { return front().needs_new_frames(); }

 private:
  /// The zones are complete, and their tiers known.
  void begin() {
    if (std::exchange(has_begun_, true)) return;
    groups_.prepare();
    for (const Zone& zone : zones_)
      if (groups_.has(zone)) each([&](Fold& fold) { fold.on_zone(zone); });
  }

  void add_folds(std::size_t count) {
    while (folds_.size() < count) folds_.push_back(*pristine_);
  }

  template <class Do>
  void each(Do what) {
    if (pristine_) what(*pristine_);
    for (Fold& fold : folds_) what(fold);
  }

  RamGroups groups_;
  std::deque<Fold> folds_;
  std::optional<Fold> pristine_;  ///< without runs, if there can be several groups
  std::vector<Zone> zones_;
  bool has_begun_ = false;
};

}  // namespace physmem
