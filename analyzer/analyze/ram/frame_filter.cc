// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/frame_filter.h"

#include <fmt/format.h>

#include "analyzer/analyze/process_filter.h"

namespace physmem {

FrameFilter::FrameFilter(Events& to, const RamSelection& selection)
    : to_(to), groups_(selection), ram_groups_(selection) {}

std::string FrameFilter::problem_of_pages() const {
  const bool is_split = groups_.is_split();
  if (passes_all() && !is_split) return "";
  const auto because = [&](const char* why) {
    return fmt::format("pages of processes cannot be {} by node, zone or tier: {}",
                       is_split ? "split" : "selected", why);
  };
  if (!header_.has_pages) return because("the snapshot lists no pages");
  if (!knows_zones())
    return because(
        "the snapshot does not state the zones before them; snapshots with RAM do since format "
        "2.11");
  return groups_.problem();
}

std::string FrameFilter::problem_of_frames() const {
  const bool is_asked = !is_whole() || groups_.is_split();
  if (is_asked && header_.ram != Header::Ram::kAll)
    return "frames cannot be selected or split by node, zone, tier or cgroup: " +
           std::string(kNoFrames);
  if (selects_payers() && !has_cgroups_)
    return "the snapshot does not say which cgroup pays for a frame";
  return ram_groups_.problem();
}

void FrameFilter::on_header(const Header& header) {
  header_ = header;
  kinds_ = kinds_of(header);
  groups_.on_header();
  ram_groups_.on_header();
  zone_counters_.on_header();
  zones_.clear();
  is_prepared_ = has_passed_ = false;
  in_area_ = {};
  payers_.clear();
  has_cgroups_ = false;
  if (is_whole()) return to_.on_header(header);
  Header part = header;
  part.selection = groups_.selected();
  part.ram_pages.reset();
  to_.on_header(part);
}

void FrameFilter::on_counters(std::span<const Counter> counters) {
  if (!is_prepared_) zone_counters_.on_counters(counters);
  if (is_whole()) return to_.on_counters(counters);
  groups_.on_counters(counters);
  ram_groups_.on_counters(counters);
  to_.on_counters(without_totals(counters));
}

void FrameFilter::on_task(Task&& task) {
  finish_area();
  to_.on_task(std::move(task));
}

/// The zones of pages are known.
void FrameFilter::prepare() {
  if (!std::exchange(is_prepared_, true))
    for (const Zone& zone : zone_counters_.zones()) groups_.on_zone(zone);
}

void FrameFilter::on_vma(Vma&& vma) {
  finish_area();
  prepare();
  if (!selects_payers() && (passes_all() || knows_zones())) to_.on_vma(std::move(vma));
}

/// The pages follow, so the area first has none.
void FrameFilter::on_counts(const PageCounts& counts) {
  if (selects_payers()) return;
  if (passes_all()) return to_.on_counts(counts);
  if (knows_zones()) to_.on_counts({});
}

/// executable and read_only are counts of page-table bits, which depend on the architecture. No
/// analysis uses them, so they stay 0.
void FrameFilter::finish_area() {
  if (in_area_.user != 0) to_.on_counts(in_area_);
  in_area_ = {};
}

void FrameFilter::on_pages(std::span<const PageRun> runs, const PageSums& sums) {
  if (selects_payers()) return;
  if (passes_all()) return to_.on_pages(runs, sums);
  selected_.clear();
  sums_ = {};
  for (const PageRun& run : runs) select(run);
  if (selected_.empty()) return;
  has_passed_ = true;
  in_area_.user += sums_.pages;
  in_area_.single_use += sums_.single;
  in_area_.shared += sums_.shared;
  to_.on_pages(selected_, sums_);
}

void FrameFilter::select(const PageRun& run) {
  RamRun frames;
  frames.first_pfn = header_.frame(run.value);
  frames.pages = run.pages;
  frames.use = PM_RAM_ANON;
  groups_.for_each(frames, [&](std::size_t, const RamRun& part) {
    const std::uint64_t bytes = (part.first_pfn - frames.first_pfn) << header_.page_size.shift();
    selected_.push_back({run.va + bytes, run.value + bytes, part.pages, run.count, run.flags});
    sums_.add(selected_.back(), kinds_);
  });
}

void FrameFilter::on_swapped(std::span<const SwapEntry> entries) {
  if (is_whole()) to_.on_swapped(entries);
}

void FrameFilter::on_zone(const Zone& zone) {
  finish_area();
  if (is_whole()) return to_.on_zone(zone);
  ram_groups_.on_zone(zone);
  zones_.push_back(zone);
}

/// The zones are complete, and the tiers of their nodes are known.
void FrameFilter::begin_ram() {
  finish_area();
  // What a zone has in all says nothing of the frames that a cgroup pays for.
  for (const Zone& zone : zones_)
    if (ram_groups_.has(zone) && !selects_payers()) to_.on_zone(zone);
  zones_ = {};
}

void FrameFilter::on_owner(RamOwner&& owner) {
  // Which frames such a file has is not known.
  if (owner.kind == RamOwner::Kind::kCountedFile && !is_whole()) return;
  if (owner.kind == RamOwner::Kind::kCgroup && selects_payers()) {
    has_cgroups_ = true;
    if (fits_group(groups_.selection().payers, owner.name)) payers_.insert(owner.id);
  }
  begin_ram();
  to_.on_owner(std::move(owner));
}

void FrameFilter::on_ram(const RamRun& run) {
  if (selects_payers() && !payers_.contains(run.cgroup)) return;
  if (passes_all()) {
    has_passed_ = true;
    return to_.on_ram(run);
  }
  begin_ram();
  ram_groups_.for_each(run, [this](std::size_t, const RamRun& part) {
    has_passed_ = true;
    to_.on_ram(part);
  });
}

void FrameFilter::on_end(const SnapshotEnd& end) {
  prepare();
  begin_ram();
  to_.on_end(end);
}

}  // namespace physmem
