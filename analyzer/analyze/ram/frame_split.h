// SPDX-License-Identifier: MIT
// An analysis by node, zone or memory tier: one fold for each group of frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/event_tee.h"
#include "analyzer/analyze/process_filter.h"
#include "analyzer/analyze/ram/frame_filter.h"
#include "analyzer/analyze/ram/ram_groups.h"
#include "analyzer/analyze/ram/zone_counters.h"

namespace physmem {

/// Passes the pages and frames of each group to its fold, through a FrameFilter and a Census. So a
/// group has the numbers that its nodes or zones have as a selection. The groups are known at the
/// first task, from the counters before it; without them, at the first frame of RAM, and then the
/// folds get no pages of processes.
class GroupedEvents : public Events {
 public:
  /// More are one group, "others"; --node or --zone selects some of them. Each group keeps a list
  /// of all zones, 120 MiB for this many groups and kMaxZones.
  static constexpr std::size_t kMaxGroups = 128;

  /// `only`: as of Census.
  GroupedEvents(const RamSelection& selection, ProcessFilter only)
      : groups_(selection), only_(std::move(only)) {
    groups_.set_max_groups(kMaxGroups);
  }

  const RamGroups& groups() const { return groups_; }
  /// Whether frames outside of all zones were found.
  bool has_outside() const { return has_outside_; }

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(Task&& task) override;
  void on_vma(Vma&& vma) override { tee_.on_vma(std::move(vma)); }
  void on_counts(const PageCounts& counts) override { tee_.on_counts(counts); }
  void on_pages(std::span<const PageRun> runs, const PageSums& sums) override {
    tee_.on_pages(runs, sums);
  }
  void on_swapped(std::span<const SwapEntry> entries) override { tee_.on_swapped(entries); }
  void on_zone(const Zone& zone) override;
  void on_owner(RamOwner&& owner) override;
  void on_ram(const RamRun& run) override;
  void on_elided() override { tee_.on_elided(); }
  void on_end(const SnapshotEnd& end) override;

 protected:
  /// The fold of a group. Numbers ascend; a group that is new has an empty fold.
  virtual Analysis& fold_of(std::size_t group) = 0;
  /// The fold over frames outside of all zones.
  virtual Analysis& fold_of_outside() = 0;

 private:
  /// One group and its fold.
  struct Part {
    Part(Analysis& fold, const RamSelection& selection, const ProcessFilter& only)
        : census({&fold}, only), filter(census, selection) {}
    Census census;
    FrameFilter filter;
  };

  void begin();
  std::vector<RamSelection> selections();

  RamGroups groups_;
  ProcessFilter only_;
  Header header_;
  ZoneCounters zone_counters_;
  std::vector<Zone> zones_;  ///< of Z:
  /// What the snapshot has before the groups are known.
  std::vector<std::pair<std::string, std::uint64_t>> counters_;
  std::vector<Task> tasks_;
  bool has_begun_ = false;
  bool has_outside_ = false;
  std::deque<Part> parts_;  ///< of the current snapshot
  EventTee tee_;            ///< to the parts
};

/// `Fold` is an Analysis that can be copied. Without --by, it is one that gets what the Census of
/// all questions passes on. In a series, the folds get one snapshot after another. Memory: one fold
/// per group, and one more.
template <class Fold>
class FrameSplit {
 public:
  explicit FrameSplit(const RamSelection& selection = {}, const ProcessFilter& only = {},
                      const Fold& empty = {})
      : empty_(empty), folds_{empty}, outside_(empty), events_(*this, selection, only) {}
  FrameSplit(const FrameSplit&) = delete;
  FrameSplit& operator=(const FrameSplit&) = delete;

  std::vector<Analysis*> analyses() {
    return is_split() ? std::vector<Analysis*>() : std::vector<Analysis*>{&folds_.front()};
  }
  /// nullptr without --by.
  Events* events() { return is_split() ? &events_ : nullptr; }

  const RamGroups& groups() const { return events_.groups(); }
  bool is_split() const { return groups().is_split(); }
  /// Whether the folds lack the kernel's totals, because those are of the whole machine.
  bool is_partial() const { return is_split() || groups().is_filtered(); }
  /// At least one: before a snapshot was read, an empty fold without a group.
  std::size_t size() const { return folds_.size() + (events_.has_outside() ? 1 : 0); }
  const Fold& operator[](std::size_t group) const {
    return group < folds_.size() ? folds_[group] : outside_;
  }
  const Fold& front() const { return folds_.front(); }
  Fold& front() { return folds_.front(); }

 private:
  class FoldEvents : public GroupedEvents {
   public:
    FoldEvents(FrameSplit& split, const RamSelection& selection, const ProcessFilter& only)
        : GroupedEvents(selection, only), split_(split) {}

   private:
    Analysis& fold_of(std::size_t group) override {
      while (split_.folds_.size() <= group) split_.folds_.push_back(split_.empty_);
      return split_.folds_[group];
    }
    Analysis& fold_of_outside() override { return split_.outside_; }

    FrameSplit& split_;
  };

  Fold empty_;
  std::deque<Fold> folds_;
  Fold outside_;
  FoldEvents events_;
};

}  // namespace physmem
