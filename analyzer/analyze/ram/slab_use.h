// SPDX-License-Identifier: MIT
// Slab caches: their pages and objects, and how they grow over a series.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/series_order.h"
#include "analyzer/model/ram.h"

namespace physmem {

/// A slab cache in one snapshot. Numbers of slabs and objects are the kernel's.
struct SlabCache {
  std::string name;
  std::uint64_t framed = 0;   ///< pages by R: lines
  std::uint64_t counted = 0;  ///< pages by the kernel's count
  /// Size of an object. The kernel's size includes the padding, the size in an O: line does not.
  std::optional<std::uint64_t> object_bytes, padded_bytes;
  std::optional<std::uint64_t> objects_per_slab, slabs;
  std::optional<std::uint64_t> objects;  ///< room for
  std::optional<std::uint64_t> active;   ///< in use

  std::optional<std::uint64_t> bytes() const { return object_bytes ? object_bytes : padded_bytes; }
  std::optional<std::uint64_t> per_slab() const;
  /// Bytes of its objects in use.
  std::optional<double> used_bytes() const;
};

/// Pages of a cache in one snapshot of a series.
struct SlabPoint {
  std::size_t snapshot = 0;  ///< from 0
  std::uint64_t pages = 0;
};

struct SlabRow {
  SlabCache cache;          ///< in the last snapshot
  std::uint64_t pages = 0;  ///< in the last snapshot
  std::uint64_t first = 0;  ///< pages in the first one
};

/// Snapshots of other machines than the first are left out.
///
/// Memory of a series: 16 bytes per cache and snapshot, of at most 2 * kMaxSnapshots. Of a longer
/// one every second snapshot is kept, then every fourth, and so on, and the last one.
class SlabUse : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;

  /// How pages are known.
  enum class Source {
    kNone,
    kFrames,  ///< R: lines have the cache
    kTotals,  ///< the counters slab.NAME
  };
  Source source() const { return source_of(caches_); }
  /// Whether the first snapshot has another source than the last one.
  bool is_mixed() const { return first_source_ && *first_source_ != source(); }
  const SeriesOrder& order() const { return order_; }
  /// Seconds by the clock from the first snapshot to the last one.
  std::optional<double> seconds() const;
  static constexpr std::size_t kMaxSnapshots = 512;
  /// The snapshots whose pages are kept, by their numbers from 0, with the seconds since the first
  /// if they are known. They ascend.
  std::vector<std::pair<std::size_t, std::optional<double>>> moments() const;
  /// Pages of the cache of this row in moments().
  std::vector<SlabPoint> history(const SlabRow& row) const;
  /// The largest first, by their pages in the last snapshot, then by name. Frames without a known
  /// cache are a row without a name.
  std::vector<SlabRow> rows() const;

 private:
  using Caches = std::map<std::string, SlabCache, std::less<>>;
  static Source source_of(const Caches& caches);
  static std::uint64_t pages_of(const SlabCache& cache, Source source);
  SlabCache& cache_of(std::string_view name);
  void keep_snapshot();
  void thin_out();

  SeriesOrder order_;
  Header first_header_;
  Header header_;  ///< of the last snapshot that was not left out
  /// The caches of that snapshot, by their names in counters. "": frames without a cache.
  Caches caches_;
  std::unordered_map<std::uint64_t, std::string> by_owner_;  ///< names in caches_
  std::map<std::string, std::uint64_t> first_;  ///< pages in the first snapshot, if there are more
  std::optional<Source> first_source_;
  std::size_t step_ = 1;  ///< every such snapshot is kept
  /// Numbers of the snapshots before the last one that are kept, with their seconds.
  std::vector<std::pair<std::size_t, std::optional<double>>> kept_;
  std::map<std::string, std::vector<SlabPoint>, std::less<>> history_;  ///< without 0
};

}  // namespace physmem
