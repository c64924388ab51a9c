// SPDX-License-Identifier: MIT
#include "analyzer/analyze/frame_filter.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace physmem {
namespace {

constexpr std::string_view kFront = "zone.";
constexpr std::string_view kFirst = ".first";
constexpr std::string_view kSpanned = ".spanned";

}  // namespace

FrameFilter::FrameFilter(Events& to, const RamSelection& selection)
    : to_(to), groups_(selection), ram_groups_(selection) {}

std::string FrameFilter::problem() const {
  if (!groups_.is_filtered()) return "";
  if (!has_zones_)
    return "pages of processes cannot be selected by node, zone or tier: the snapshot does not "
           "state the zones before them; physmem-collect --ram does since format 2.11";
  return groups_.problem();
}

void FrameFilter::on_header(const Header& header) {
  header_ = header;
  kinds_ = kinds_of(header);
  groups_.on_header();
  ram_groups_.on_header();
  zones_.clear();
  has_zones_ = is_prepared_ = false;
  to_.on_header(header);
}

/// "zone.0.DMA32.first" or ".spanned".
void FrameFilter::add_zone(const Counter& counter) {
  std::string_view name = counter.name;
  const bool is_first = name.ends_with(kFirst);
  if (!name.starts_with(kFront) || (!is_first && !name.ends_with(kSpanned))) return;
  name.remove_prefix(kFront.size());
  name.remove_suffix(is_first ? kFirst.size() : kSpanned.size());
  Zone zone;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), zone.node);
  if (error != std::errc() || end == name.data() + name.size() || *end != '.') return;
  zone.name = std::string(end + 1, name.data() + name.size());
  auto known = std::find_if(zones_.begin(), zones_.end(), [&](const Zone& other) {
    return other.node == zone.node && other.name == zone.name;
  });
  if (known == zones_.end()) known = zones_.insert(zones_.end(), std::move(zone));
  (is_first ? known->first_pfn : known->spanned) = counter.value;
  has_zones_ = true;
}

void FrameFilter::on_counters(std::span<const Counter> counters) {
  if (!is_prepared_)
    for (const Counter& counter : counters) add_zone(counter);
  groups_.on_counters(counters);
  ram_groups_.on_counters(counters);
  if (!groups_.is_filtered()) return to_.on_counters(counters);
  to_.on_counters(without_totals(counters));
}

void FrameFilter::on_zone(const Zone& zone) {
  ram_groups_.on_zone(zone);
  to_.on_zone(zone);
}

void FrameFilter::on_ram(const RamRun& run) {
  if (!ram_groups_.is_filtered()) return to_.on_ram(run);
  ram_groups_.for_each(run, [this](std::size_t, const RamRun& part) { to_.on_ram(part); });
}

void FrameFilter::on_pages(std::span<const PageRun> runs, const PageSums& sums) {
  if (!groups_.is_filtered()) return to_.on_pages(runs, sums);
  if (!std::exchange(is_prepared_, true))
    for (const Zone& zone : zones_) groups_.on_zone(zone);
  selected_.clear();
  PageSums selected_sums;
  const unsigned shift = header_.page_size.shift();
  for (const PageRun& run : runs) {
    RamRun frames;
    frames.first_pfn = header_.frame(run.value);
    frames.pages = run.pages;
    frames.use = PM_RAM_ANON;
    groups_.for_each(frames, [&](std::size_t, const RamRun& part) {
      const std::uint64_t bytes = (part.first_pfn - frames.first_pfn) << shift;
      selected_.push_back({run.va + bytes, run.value + bytes, part.pages, run.count, run.flags});
      selected_sums.add(selected_.back(), kinds_);
    });
  }
  if (!selected_.empty()) to_.on_pages(selected_, selected_sums);
}

void FrameFilter::on_swapped(std::span<const SwapEntry> entries) {
  if (!groups_.is_filtered()) to_.on_swapped(entries);
}

}  // namespace physmem
