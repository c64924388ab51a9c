// SPDX-License-Identifier: MIT
// An analysis of processes by node, zone or memory tier: one fold for each group of frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/event_tee.h"
#include "analyzer/analyze/frame_filter.h"
#include "analyzer/analyze/ram_groups.h"
#include "analyzer/analyze/zone_counters.h"

namespace physmem {

/// Passes each group's pages of processes to a fold of its own, through a FrameFilter and a Census.
/// So a group has the numbers that its nodes or zones have as a selection. The groups are known at
/// the first task, from the counters before it (see FrameFilter).
class GroupedEvents : public Events {
 public:
  /// `add_fold` adds the fold of the next group. `only`: as of Census.
  GroupedEvents(const RamSelection& selection, ProcessFilter only,
                std::function<Analysis&()> add_fold);

  const RamGroups& groups() const { return groups_; }
  /// Why there are no groups. Empty: there are some.
  std::string problem() const;

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(Task&& task) override;
  void on_vma(Vma&& vma) override { tee_.on_vma(std::move(vma)); }
  void on_counts(const PageCounts& counts) override { tee_.on_counts(counts); }
  void on_pages(std::span<const PageRun> runs, const PageSums& sums) override {
    tee_.on_pages(runs, sums);
  }
  void on_swapped(std::span<const SwapEntry> entries) override { tee_.on_swapped(entries); }
  void on_elided() override { tee_.on_elided(); }
  void on_end(const SnapshotEnd& end) override;

 private:
  /// Of one group.
  struct Part {
    Part(Analysis& fold, const RamSelection& selection, const ProcessFilter& only)
        : census({&fold}, only), filter(census, selection) {}
    Census census;
    FrameFilter filter;
  };

  void begin();

  RamGroups groups_;
  ProcessFilter only_;
  std::function<Analysis&()> add_fold_;
  Header header_;
  ZoneCounters zone_counters_;
  std::vector<std::pair<std::string, std::uint64_t>> counters_;  ///< before the groups are known
  bool has_begun_ = false;
  std::deque<Part> parts_;
  EventTee tee_;  ///< to the parts
};

/// Without --by, one fold that is an analysis like others.
template <class Fold>
class ProcessSplit {
 public:
  explicit ProcessSplit(const RamSelection& selection = {}, ProcessFilter only = {})
      : is_split_(selection.by != RamSelection::By::kNothing),
        grouped_(selection, std::move(only), [this]() -> Analysis& { return add_fold(); }) {}
  ProcessSplit(const ProcessSplit&) = delete;
  ProcessSplit& operator=(const ProcessSplit&) = delete;

  std::vector<Analysis*> analyses() {
    return is_split_ ? std::vector<Analysis*>() : std::vector<Analysis*>{&folds_.front()};
  }
  Events* events() { return is_split_ ? &grouped_ : nullptr; }

  const RamGroups& groups() const { return grouped_.groups(); }
  std::string problem() const { return is_split_ ? grouped_.problem() : ""; }
  /// One for each group, at least one.
  const std::deque<Fold>& folds() const { return folds_; }
  const Fold& front() const { return folds_.front(); }
  Fold& front() { return folds_.front(); }

 private:
  /// The first group has the fold that is there already.
  Fold& add_fold() {
    if (groups_begun_++ != 0) folds_.emplace_back();
    return folds_.back();
  }

  bool is_split_;
  std::deque<Fold> folds_{1};
  std::size_t groups_begun_ = 0;
  GroupedEvents grouped_;
};

}  // namespace physmem
