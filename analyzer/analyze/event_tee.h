// SPDX-License-Identifier: MIT
// One stream of events for several receivers.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "analyzer/parse/events.h"

namespace physmem {

class EventTee : public Events {
 public:
  explicit EventTee(std::vector<Events*> to = {}) : to_(std::move(to)) {}

  void add(Events& to) { to_.push_back(&to); }
  void clear() { to_.clear(); }
  std::size_t size() const { return to_.size(); }

  void on_header(const Header& header) override {
    for (Events* to : to_) to->on_header(header);
  }
  void on_counters(std::span<const Counter> counters) override {
    for (Events* to : to_) to->on_counters(counters);
  }
  void on_holder(Holder&& holder) override {
    for (Events* to : to_) to->on_holder(Holder(holder));
  }
  void on_task(Task&& task) override {
    for (Events* to : to_) to->on_task(Task(task));
  }
  void on_vma(Vma&& vma) override {
    for (Events* to : to_) to->on_vma(Vma(vma));
  }
  void on_counts(const PageCounts& counts) override {
    for (Events* to : to_) to->on_counts(counts);
  }
  void on_pages(std::span<const PageRun> runs, const PageSums& sums) override {
    for (Events* to : to_) to->on_pages(runs, sums);
  }
  void on_swapped(std::span<const SwapEntry> entries) override {
    for (Events* to : to_) to->on_swapped(entries);
  }
  void on_zone(const Zone& zone) override {
    for (Events* to : to_) to->on_zone(zone);
  }
  void on_owner(RamOwner&& owner) override {
    for (Events* to : to_) to->on_owner(RamOwner(owner));
  }
  void on_ram(const RamRun& run) override {
    for (Events* to : to_) to->on_ram(run);
  }
  void on_elided() override {
    for (Events* to : to_) to->on_elided();
  }
  void on_end(const SnapshotEnd& end) override {
    for (Events* to : to_) to->on_end(end);
  }

 private:
  std::vector<Events*> to_;
};

}  // namespace physmem
