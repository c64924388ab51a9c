// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/slab_use.h"

#include <algorithm>
#include <array>

#include "analyzer/analyze/ram/ram_verdict.h"
#include "analyzer/analyze/ram/slab_reclaim.h"

namespace physmem {
namespace {

struct Field {
  std::string_view prefix;
  void (*set)(SlabCache& cache, std::uint64_t value);
};
constexpr std::array<Field, 5> kFields{
    {{"slab.", [](SlabCache& cache, std::uint64_t pages) { cache.counted = pages; }},
     {"slab_slabs.", [](SlabCache& cache, std::uint64_t slabs) { cache.slabs = slabs; }},
     {"slab_objects.", [](SlabCache& cache, std::uint64_t objects) { cache.objects = objects; }},
     {"slab_active.", [](SlabCache& cache, std::uint64_t objects) { cache.active = objects; }},
     {"slab_object_bytes.",
      [](SlabCache& cache, std::uint64_t bytes) { cache.padded_bytes = bytes; }}}};

}  // namespace

std::optional<std::uint64_t> SlabCache::per_slab() const {
  if (objects_per_slab) return objects_per_slab;
  if (!objects || slabs.value_or(0) == 0) return std::nullopt;
  return *objects / *slabs;
}

std::optional<double> SlabCache::used_bytes() const {
  if (!active || !bytes()) return std::nullopt;
  return static_cast<double>(*active) * static_cast<double>(*bytes());
}

void SlabUse::on_header(const Header& header) {
  const bool is_second = order_.snapshots() == 1;
  order_.add(header);
  if (order_.is_left_out()) return;
  if (is_second) {
    first_source_ = source();
    first_header_ = header_;
    for (const auto& [name, cache] : caches_) first_[name] = pages_of(cache, *first_source_);
  }
  if (order_.snapshots() > 1) keep_snapshot();
  header_ = header;
  caches_.clear();
  by_owner_.clear();
}

/// Keeps the snapshot that has ended. The next one has begun.
void SlabUse::keep_snapshot() {
  const std::size_t number = order_.snapshots() - 2;
  if (number % step_ != 0) return;
  kept_.emplace_back(number, number == 0 ? 0.0 : seconds());
  const Source used = source();
  for (const auto& [name, cache] : caches_)
    if (const std::uint64_t pages = pages_of(cache, used); pages != 0)
      history_[name].push_back({number, pages});
  if (kept_.size() >= 2 * kMaxSnapshots) thin_out();
}

void SlabUse::thin_out() {
  step_ *= 2;
  std::erase_if(kept_, [this](const auto& moment) { return moment.first % step_ != 0; });
  for (auto& [name, points] : history_)
    std::erase_if(points, [this](const SlabPoint& point) { return point.snapshot % step_ != 0; });
  std::erase_if(history_, [](const auto& cache) { return cache.second.empty(); });
}

std::vector<std::pair<std::size_t, std::optional<double>>> SlabUse::moments() const {
  auto moments = kept_;
  moments.emplace_back(order_.snapshots() - 1, seconds());
  return moments;
}

std::vector<SlabPoint> SlabUse::history(const SlabRow& row) const {
  const auto found = history_.find(counter_name_of(row.cache.name));
  std::vector<SlabPoint> points;
  std::size_t next = 0;
  for (const auto& [number, seconds] : kept_) {
    const bool has_pages = found != history_.end() && next < found->second.size() &&
                           found->second[next].snapshot == number;
    points.push_back({number, has_pages ? found->second[next++].pages : 0});
  }
  points.push_back({order_.snapshots() - 1, row.pages});
  return points;
}

SlabCache& SlabUse::cache_of(std::string_view name) {
  const auto found = caches_.find(name);
  if (found != caches_.end()) return found->second;
  SlabCache& cache = caches_[std::string(name)];
  cache.name = name;
  return cache;
}

void SlabUse::on_counters(std::span<const Counter> counters) {
  if (order_.is_left_out()) return;
  for (const Counter& counter : counters)
    for (const Field& field : kFields)
      if (std::string_view name = counter.name; name.starts_with(field.prefix))
        field.set(cache_of(name.substr(field.prefix.size())), std::min(counter.value, kMaxCounter));
}

void SlabUse::on_owner(const RamOwner& owner) {
  if (owner.kind != RamOwner::Kind::kSlab || order_.is_left_out()) return;
  const std::string name = counter_name_of(owner.name);
  SlabCache& cache = cache_of(name);
  cache.name = owner.name;
  cache.object_bytes = owner.object_bytes;
  cache.objects_per_slab = owner.objects_per_slab;
  by_owner_.emplace(owner.id, name);
}

void SlabUse::on_ram(const RamRun& run) {
  if (run.use != PM_RAM_SLAB || order_.is_left_out()) return;
  const auto found = by_owner_.find(run.owner);
  cache_of(found == by_owner_.end() ? "" : found->second).framed += run.pages;
}

/// Frames without a known cache are better than nothing.
SlabUse::Source SlabUse::source_of(const Caches& caches) {
  const auto has = [&](auto pages) {
    return std::any_of(caches.begin(), caches.end(), [&](const auto& entry) {
      return !entry.first.empty() && entry.second.*pages != 0;
    });
  };
  if (has(&SlabCache::framed)) return Source::kFrames;
  if (has(&SlabCache::counted)) return Source::kTotals;
  return caches.contains("") ? Source::kFrames : Source::kNone;
}

std::uint64_t SlabUse::pages_of(const SlabCache& cache, Source source) {
  return source == Source::kFrames ? cache.framed : cache.counted;
}

std::optional<double> SlabUse::seconds() const {
  return first_source_ ? clock_seconds(first_header_, header_) : std::nullopt;
}

std::vector<SlabRow> SlabUse::rows() const {
  const Source used = source();
  std::map<std::string, SlabRow> by_name;
  for (const auto& [name, cache] : caches_) by_name[name] = {cache, pages_of(cache, used)};
  for (const auto& [name, pages] : first_) {
    SlabRow& row = by_name[name];
    row.first = pages;
    if (row.cache.name.empty()) row.cache.name = name;
  }
  std::vector<SlabRow> rows;
  for (auto& [name, row] : by_name)
    if (row.pages != 0 || row.first != 0) rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const SlabRow& a, const SlabRow& b) { return a.pages > b.pages; });
  return rows;
}

}  // namespace physmem
