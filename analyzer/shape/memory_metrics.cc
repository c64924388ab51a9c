// SPDX-License-Identifier: MIT
#include "analyzer/shape/memory_metrics.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "analyzer/model/frame_classes.h"
#include "analyzer/shape/overview_shape.h"

namespace physmem {
namespace {

constexpr const char* kOther = "other";
constexpr const char* kUnknown = "unknown";
constexpr double kUsOfSecond = 1e6;
constexpr double kNsOfSecond = 1e9;

/// The rows of one grouping, by label.
struct Group {
  const char* prefix;  ///< of the metrics
  const char* label;
  const char* of;      ///< for the help: "processes of this name"
  const char* unique;  ///< how the metric of MemoryUse::unique is called
  const char* unique_help;
  std::vector<std::pair<std::string, MemoryUseRow>> rows;
};

bool is_larger(const MemoryUse& a, const MemoryUse& b) {
  return a.share != b.share ? a.share > b.share : a.resident > b.resident;
}

/// Without a known share, an empty sum is no more known than the others.
void mark_unknown(MemoryUse& other, std::span<const std::pair<std::string, MemoryUseRow>> rows) {
  if (other.resident != 0 || rows.empty()) return;
  const auto any = [&](bool KnownProcesses::*flag) {
    return std::any_of(rows.begin(), rows.end(),
                       [flag](const auto& row) { return row.second.known.*flag; });
  };
  other.is_share_known = other.is_share_known && any(&KnownProcesses::has_share);
  other.is_unique_known = other.is_unique_known && any(&KnownProcesses::has_unique);
}

/// The largest rows, then the sum of all others. A row that is named `other` is added to it. USS of
/// groups of processes cannot be added up.
std::vector<std::pair<std::string, MemoryUseRow>> largest(const MemoryUses& uses, std::size_t top) {
  std::map<std::string, MemoryUseRow> by_label;
  MemoryUseRow other;
  for (const MemoryUseRow& row : uses.rows()) {
    const bool is_cgroup = uses.grouping() == UseGrouping::kCgroup;
    const std::string& name = is_cgroup ? row.cgroup : row.name;
    (name == kOther ? other : by_label[name.empty() ? kUnknown : name]).add(row);
  }
  std::vector<std::pair<std::string, MemoryUseRow>> rows(by_label.begin(), by_label.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return is_larger(a.second.use, b.second.use);
  });
  for (std::size_t i = top; i < rows.size(); ++i) other.add(rows[i].second);
  mark_unknown(other.use, rows);
  if (uses.grouping() != UseGrouping::kUnit) {
    other.use.is_unique_known = false;
    other.known.has_unique = false;
  }
  rows.resize(std::min(top, rows.size()));
  rows.emplace_back(kOther, other);
  return rows;
}

/// Rounded to the nearest byte.
class Families {
 public:
  explicit Families(const Header& header) : header_(header) {}

  void add_uses(const Group& group) {
    const std::string of = group.of;
    add_bytes(group, "pss",
              "Proportional set size of " + of + ": each page divided by its mappings.",
              [this](const MemoryUseRow& row) -> std::optional<std::uint64_t> {
                if (!row.has_share()) return std::nullopt;
                return row.use.share.bytes(header_.page_size);
              });
    add_bytes(group, group.unique, group.unique_help, [this](const MemoryUseRow& row) {
      return row.has_unique() ? bytes(row.use.unique) : std::nullopt;
    });
    add_bytes(group, "rss", "Resident set size of " + of + "; shared pages count in each process.",
              [this](const MemoryUseRow& row) { return bytes(row.use.resident); });
    add_bytes(group, "swap", "Swapped pages of " + of + "; those that a fork shares count once.",
              [this](const MemoryUseRow& row) { return bytes(row.use.swapped()); });
  }

  /// If there are some, for each row that has some.
  void add_unread(const Group& group) {
    MetricFamily metric{std::string(group.prefix) + "_unread",
                        "",
                        std::string("How many of ") + group.of +
                            " are missing in PSS, because their pages are not known.",
                        {},
                        false};
    for (const auto& [label, row] : group.rows)
      if (row.unread() != 0) metric.samples.push_back({{{group.label, label}}, row.unread()});
    if (!metric.samples.empty()) families_.push_back(std::move(metric));
  }

  /// Free memory is a class, so that the sum is physmem_ram_bytes.
  void add_ram(const Ledger& ledger) {
    if (!ledger.is_known()) return;
    add("physmem_ram_bytes", "bytes", "RAM, without holes and offline memory.",
        *bytes(ledger.frames()));
    MetricFamily& classes =
        family("physmem_ram_class_bytes", "bytes", "RAM by class; the sum is physmem_ram_bytes.");
    for (std::size_t i = 0; i < kFrameClasses; ++i)
      if (const auto use = static_cast<FrameClass>(i); is_ram(use))
        classes.samples.push_back({{{"class", std::string(word_of(use))}}, *bytes(ledger.of(use))});
  }

  /// Free memory is a part, so that the sum is MemTotal.
  void add_totals(const MemoryTotals& totals) {
    const auto parts = totals.parts();
    if (!parts) return;
    MetricFamily& all =
        family("physmem_memory_part_bytes", "bytes",
               "Memory by use, by the kernel's totals; the sum is what the kernel manages.");
    for (std::size_t i = 0; i < kMemoryParts; ++i)
      all.samples.push_back({{{"part", kMemoryPartTexts[i].name}}, (*parts)[i] << 10});
    if (totals.available())
      add("physmem_memory_available_bytes", "bytes",
          "Memory that is free or can be freed, as the kernel estimates it.",
          *totals.available() << 10);
  }

  void add_alerts(const Alerts& alerts) {
    if (!header_.has_pages) return;
    MetricFamily& family = this->family(
        "physmem_alerts", "", "Areas with pages that could be shared and are not, by rule.");
    const auto add_rule = [&](const char* rule, Alert::Rule which) {
      family.samples.push_back({{{"rule", rule}}, alerts.count(which)});
    };
    if (alerts.exact_rule_applies()) add_rule("private_text", Alert::Rule::kPrivateText);
    add_rule("single_and_shared", Alert::Rule::kSingleAndShared);
  }

  void add_level(Level level) {
    constexpr std::array<double, 9> kValues{0, 0, 1, 1.5, 1.75, 2, 3, 4, 5};
    if (level == Level::kUnknown) return;
    add("physmem_thrash_level", "",
        "0 idle, 1 reclaim, 1.5 recovering, 1.75 held back, 2 refaulting, 3 thrashing, 4 severe, "
        "5 critical.",
        kValues[static_cast<std::size_t>(level)]);
  }

  void add_cost(const CollectionCost& cost) {
    if (cost.wall_us())
      add("physmem_collect_seconds", "seconds", "Duration of the collection.",
          static_cast<double>(*cost.wall_us()) / kUsOfSecond);
    if (cost.cpu_us())
      add("physmem_collect_cpu_seconds", "seconds", "CPU time of the collection.",
          static_cast<double>(*cost.cpu_us()) / kUsOfSecond);
  }

  void add_snapshot() {
    if (header_.time_ns)
      add("physmem_snapshot_time_seconds", "seconds", "Time of the snapshot, since 1970.",
          static_cast<double>(*header_.time_ns) / kNsOfSecond);
    MetricFamily& info =
        family("physmem_snapshot_info", "", "Properties of the snapshot; always 1.");
    MetricSample& sample = info.samples.emplace_back(MetricSample{{}, std::uint64_t{1}});
    for (const auto& [label, value] :
         {std::pair{"arch", &header_.arch}, std::pair{"collector", &header_.collector},
          std::pair{"host", &header_.host}, std::pair{"kernel", &header_.kernel}})
      if (!value->empty()) sample.labels.emplace_back(label, *value);
  }

  std::vector<MetricFamily> take() { return std::move(families_); }

 private:
  MetricFamily& family(std::string name, std::string unit, std::string help) {
    return families_.emplace_back(
        MetricFamily{std::move(name), std::move(unit), std::move(help), {}, false});
  }

  template <class Value>
  void add(std::string name, std::string unit, std::string help, Value value) {
    family(std::move(name), std::move(unit), std::move(help)).samples.push_back({{}, value});
  }

  template <class Value>
  void add_bytes(const Group& group, const char* what, std::string help, Value value) {
    MetricFamily metric{
        std::string(group.prefix) + "_" + what + "_bytes", "bytes", std::move(help), {}, false};
    for (const auto& [label, row] : group.rows)
      if (const auto size = value(row)) metric.samples.push_back({{{group.label, label}}, *size});
    if (!metric.samples.empty()) families_.push_back(std::move(metric));
  }

  std::optional<std::uint64_t> bytes(std::uint64_t pages) const {
    return pages << header_.page_size.shift();
  }

  const Header& header_;
  std::vector<MetricFamily> families_;
};

}  // namespace

std::vector<MetricFamily> memory_metrics(const MemoryMetricSources& sources, const Header& header,
                                         std::size_t top) {
  Families families(header);
  if (header.has_areas) {
    constexpr const char* kExclusive =
        "Pages that only these processes map, also those that they share with each other.";
    for (const Group& group :
         {Group{"physmem_process", "command", "the processes with this command", "exclusive",
                kExclusive, largest(sources.names, top)},
          Group{"physmem_cgroup", "cgroup", "the processes in this cgroup", "exclusive", kExclusive,
                largest(sources.cgroups, top)}}) {
      families.add_uses(group);
      families.add_unread(group);
    }
    families.add_uses({"physmem_file", "file", "this file or kind of memory in all processes",
                       "uss",
                       "Unique set size of this file or kind of memory in all processes: pages "
                       "that one process maps and no other.",
                       largest(sources.units, top)});
  }
  families.add_totals(sources.totals);
  families.add_ram(sources.ledger);
  families.add_alerts(sources.alerts);
  families.add_level(sources.thrash_level);
  families.add_cost(sources.cost);
  families.add_snapshot();
  return families.take();
}

}  // namespace physmem
