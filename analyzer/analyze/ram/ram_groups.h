// SPDX-License-Identifier: MIT
// Frames by node, zone or memory tier: which of them an analysis counts, and in which group.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analyzer/analyze/name_pattern.h"
#include "analyzer/model/frame_classes.h"
#include "analyzer/parse/events.h"

namespace physmem {

/// What the user asked for. Empty sets select everything.
struct RamSelection {
  enum class By { kNothing, kNode, kZone, kTier };
  By by = By::kNothing;  ///< one group for each of them
  std::set<std::uint64_t> nodes = {};
  std::set<std::string> zones = {};
  std::set<std::uint64_t> tiers = {};
  bool is_outside = false;  ///< instead: memory outside of all zones
  /// Of frames: only those that these cgroups pay for, or cgroups below them.
  std::vector<NamePattern> payers = {};

  /// Whether frames of all places are selected.
  bool is_all() const { return nodes.empty() && zones.empty() && tiers.empty() && !is_outside; }
};

/// Counters without the totals of the kernel, which are of the whole machine.
std::vector<Counter> without_totals(std::span<const Counter> counters);

/// Cuts runs at the ends of zones. A frame that several zones span, as nodes may be interleaved,
/// counts for the zone that begins last. Frames outside of all zones have no node: they are in a
/// group of their own, and in no selection.
class RamGroups {
 public:
  explicit RamGroups(RamSelection selection = {}) : selection_(std::move(selection)) {}

  void on_counters(std::span<const Counter> counters);
  void on_zone(const Zone& zone);

  /// Begins the next snapshot. Groups keep their numbers.
  void on_header();
  const RamSelection& selection() const { return selection_; }
  /// Those after the first `max` - 1 are one group, "others".
  void set_max_groups(std::size_t max) { max_groups_ = max; }
  bool is_split() const { return selection_.by != RamSelection::By::kNothing; }
  bool is_filtered() const { return !selection_.is_all(); }
  /// All zones and tiers are known: the counters with the tiers follow the zones.
  void prepare();
  /// "0", "0 Normal", "4"; "none" for frames outside of all zones.
  std::string name(std::size_t group) const {
    return group < names_.size() ? names_[group] : "none";
  }
  /// The title of a column of names: "Node", "Zone", "Tier".
  std::string_view title() const;
  /// The same in a sentence.
  std::string_view word() const;
  /// What is selected, for a heading: "node 0, 1; zone Normal". Empty: everything.
  std::string selected() const;
  /// Why no frame is selected. Empty: a zone is.
  std::string problem() const;
  /// Whether the zone is selected.
  bool has(const Zone& zone) const;
  /// The number of a zone's group, which exists from now on. Its tier is known.
  std::size_t group_of(const Zone& zone);

  /// visit(group, run) for each part of a run that is selected. Runs ascend.
  template <class Visit>
  void for_each(const RamRun& run, Visit&& visit) {
    if (!is_split() && !is_filtered()) return visit(std::size_t{0}, run);
    prepare();
    const std::uint64_t end = run.first_pfn + run.pages;
    for (std::uint64_t at = run.first_pfn; at < end;) {
      const Span& span = span_at(at, is_ram(run.use));
      const std::uint64_t stop = std::min(end, span.end);
      if (is_selected(span, run)) visit(span.group, part_of(run, at, stop));
      at = stop;
    }
  }

 private:
  /// Frames of one group.
  struct Span {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::size_t group = 0;
    bool is_selected = true;
  };

  /// Outside of all zones: its group exists once a frame is in it.
  static constexpr std::size_t kOutside = ~std::size_t{0};

  static RamRun part_of(const RamRun& run, std::uint64_t begin, std::uint64_t end);
  bool is_selected(const Span& span, const RamRun& run) const {
    return span.is_selected && span.group != kOutside &&
           (!selection_.is_outside || is_ram(run.use));
  }
  void add_span(const Span& span);
  const Span& span_at(std::uint64_t pfn, bool is_ram);
  std::size_t group_named(const std::string& name);
  std::string tier_of(std::uint64_t node) const;

  RamSelection selection_;
  std::size_t max_groups_ = ~std::size_t{0};
  std::vector<Zone> zones_;
  std::map<std::uint64_t, std::uint64_t> tiers_;  ///< by node
  std::vector<std::string> names_;
  std::vector<Span> spans_;  ///< all frames, ascending; empty until the first run
  std::size_t next_ = 0;     ///< the span of the last frame that was asked for
};

}  // namespace physmem
