// SPDX-License-Identifier: MIT
#include "analyzer/analyze/verify/joined_counts.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <unordered_set>

namespace physmem {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
/// Required by clang before 17.
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

/// Finds areas that are listed again for an address space (`areas=task`): their entries are the
/// same page tables.
class AddressSpaces {
 public:
  void on_task(std::uint64_t mm) {
    if (has_areas_) complete_.insert(mm_);
    mm_ = mm;
    has_areas_ = false;
  }
  void on_vma() {
    if (!has_areas_) is_repeated_ = complete_.contains(mm_);
    has_areas_ = true;
  }
  bool is_repeated() const { return is_repeated_; }

 private:
  std::unordered_set<std::uint64_t> complete_;
  std::uint64_t mm_ = 0;
  bool has_areas_ = false;
  bool is_repeated_ = false;
};

}  // namespace

void JoinedCounts::on_header(const Header& header) {
  header_ = header;
  events_.clear();
}

void JoinedCounts::on_counters(std::span<const Counter> counters) {
  Counters kept;
  for (const Counter& counter : counters)
    kept.values.emplace_back(std::string(counter.name), counter.value);
  events_.emplace_back(std::move(kept));
}

void JoinedCounts::on_holder(Holder&& holder) {
  events_.emplace_back(std::move(holder));
}

void JoinedCounts::on_task(Task&& task) {
  events_.emplace_back(std::move(task));
}

void JoinedCounts::on_vma(Vma&& vma) {
  events_.emplace_back(std::move(vma));
}

void JoinedCounts::on_counts(const PageCounts& counts) {
  events_.emplace_back(counts);
}

void JoinedCounts::on_pages(std::span<const PageRun> runs, const PageSums& /*sums*/) {
  events_.emplace_back(Pages(runs.begin(), runs.end()));
}

void JoinedCounts::on_swapped(std::span<const SwapEntry> entries) {
  events_.emplace_back(Swapped(entries.begin(), entries.end()));
}

void JoinedCounts::on_zone(const Zone& zone) {
  events_.emplace_back(zone);
}

void JoinedCounts::on_owner(RamOwner&& owner) {
  events_.emplace_back(std::move(owner));
}

void JoinedCounts::on_ram(const RamRun& run) {
  events_.emplace_back(run);
}

void JoinedCounts::on_elided() {
  events_.emplace_back(Elided{});
}

void JoinedCounts::count_mappings() {
  MappingSweep entries;
  AddressSpaces spaces;
  for (const Event& event : events_) {
    if (const auto* task = std::get_if<Task>(&event)) spaces.on_task(task->mm);
    if (std::holds_alternative<Vma>(event)) spaces.on_vma();
    const auto* pages = std::get_if<Pages>(&event);
    if (pages != nullptr && !spaces.is_repeated()) entries.add(header_, *pages);
  }
  depths_.clear();
  entries.begin();
  for (std::uint64_t pfn = entries.next_change(); pfn != MappingSweep::kNoFrame;
       pfn = entries.next_change()) {
    entries.move_to(pfn);
    depths_.push_back({pfn, entries.mappings()});
  }
}

/// Splits runs where the number of mappings changes.
void JoinedCounts::join(Pages& runs) const {
  Pages joined;
  joined.reserve(runs.size());
  for (PageRun run : runs) {
    if (!has_counted_mappings(run)) {
      joined.push_back(run);
      continue;
    }
    std::uint64_t frame = header_.frame(run.value);
    // The run itself begins a depth at its first frame, or lies in one.
    auto depth = std::upper_bound(depths_.begin(), depths_.end(), frame,
                                  [](std::uint64_t pfn, const Depth& d) { return pfn < d.pfn; });
    while (run.pages != 0) {
      PageRun part = run;
      if (depth != depths_.end()) part.pages = std::min(run.pages, depth->pfn - frame);
      part.count = std::prev(depth)->mappings;
      joined.push_back(part);
      run.va += part.pages * header_.page_size.bytes;
      run.value += part.pages * header_.page_size.bytes;
      run.pages -= part.pages;
      frame += part.pages;
      if (depth != depths_.end()) ++depth;
    }
  }
  runs = std::move(joined);
}

/// The counts of an area, by its pages, which follow.
void JoinedCounts::pass_counts(std::size_t index) {
  PageCounts joined = std::get<PageCounts>(events_[index]);
  const PageKinds kinds = kinds_of(header_);
  PageSums sums;
  for (std::size_t i = index + 1; i < events_.size(); ++i) {
    if (const auto* pages = std::get_if<Pages>(&events_[i]))
      for (const PageRun& run : *pages) sums.add(run, kinds);
    else if (!std::holds_alternative<Swapped>(events_[i]))
      break;
  }
  if (sums.pages != 0) {
    joined.single_use = sums.single;
    joined.shared = sums.shared;
  }
  to_.on_counts(joined);
}

void JoinedCounts::on_end(const SnapshotEnd& end) {
  count_mappings();
  for (Event& event : events_)
    if (auto* pages = std::get_if<Pages>(&event)) join(*pages);
  Header header = header_;
  if (header.has_pages) header.count = Header::Count::kMapcount;
  to_.on_header(header);
  const PageKinds kinds = kinds_of(header_);
  for (std::size_t i = 0; i < events_.size(); ++i)
    std::visit(Overloaded{[&](Counters& kept) {
                            std::vector<Counter> counters;
                            for (const auto& [name, value] : kept.values)
                              counters.push_back({name, value});
                            to_.on_counters(counters);
                          },
                          [&](Holder& holder) { to_.on_holder(std::move(holder)); },
                          [&](Task& task) { to_.on_task(std::move(task)); },
                          [&](Vma& vma) { to_.on_vma(std::move(vma)); },
                          [&](PageCounts&) { pass_counts(i); },
                          [&](Pages& pages) { to_.on_pages(pages, sum_up(pages, kinds)); },
                          [&](Swapped& entries) { to_.on_swapped(entries); },
                          [&](Zone& zone) { to_.on_zone(zone); },
                          [&](RamOwner& owner) { to_.on_owner(std::move(owner)); },
                          [&](RamRun& run) { to_.on_ram(run); }, [&](Elided&) { to_.on_elided(); }},
               events_[i]);
  events_.clear();
  to_.on_end(end);
}

}  // namespace physmem
