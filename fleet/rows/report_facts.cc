// SPDX-License-Identifier: MIT
#include "fleet/rows/report_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "analyzer/analyze/many/fleet_machines.h"
#include "analyzer/analyze/many/ram_digest.h"
#include "analyzer/analyze/ram/class_pages.h"
#include "fleet/rows/name_text.h"

namespace physmem::fleet {
namespace {

using Number = std::optional<std::uint64_t>;

std::uint64_t limited(std::uint64_t number) {
  return std::min(number, kMaxNumber);
}

/// Bytes of a number of pages, for the page size of one snapshot.
class Bytes {
 public:
  explicit Bytes(PageSize page_size) : page_size_(page_size) {}

  std::uint64_t of(std::uint64_t pages) const {
    return pages > kMaxNumber / page_size_.bytes ? kMaxNumber : pages * page_size_.bytes;
  }
  /// Rounded to the nearest byte.
  std::uint64_t of(PageShare share) const { return limited(share.bytes(page_size_)); }

 private:
  PageSize page_size_;
};

/// Rows of one path: several files may have had it.
struct UnitSum {
  bool has_pages = false;
  UnitPages physical;
  std::uint64_t processes = 0, unique = 0, resident = 0, alerts = 0;
  PageShare share;
  bool is_share_known = true;

  void add(const UnitTotalsRow& row) {
    has_pages = true;
    physical.text += row.physical.text;
    physical.data += row.physical.data;
    physical.bss += row.physical.bss;
    processes += row.processes;
    unique += row.unique;
    resident += row.resident;
    share += row.share;
    is_share_known = is_share_known && row.is_share_known;
  }
};

void add_row(Report& report, FactTable table, decltype(Fact::texts) texts,
             decltype(Fact::numbers) numbers) {
  for (std::string& text : texts) text = escaped_name(text);
  for (Number& number : numbers)
    if (number) number = limited(*number);
  report.of(table).push_back({std::move(texts), numbers});
}

}  // namespace

SnapshotLine snapshot_line(const Header& header, const std::string& host) {
  SnapshotLine line;
  line.machine = escaped_name(machine_of(header, host));
  line.host = escaped_name(host);
  line.boot = escaped_name(header.boot_id);
  line.kernel = escaped_name(header.kernel);
  line.arch = escaped_name(header.arch);
  line.collector = escaped_name(header.collector);
  line.time_ns = limited(header.time_ns.value_or(0));
  line.uptime_ns = header.uptime_ns;
  if (line.uptime_ns) line.uptime_ns = limited(*line.uptime_ns);
  line.sequence = header.sequence;
  if (line.sequence) line.sequence = limited(*line.sequence);
  line.page_size = header.page_size.bytes;
  if (header.ram_pages) line.ram_bytes = Bytes(header.page_size).of(*header.ram_pages);
  line.has_pages = header.has_pages ? 1 : 0;
  line.has_ledger = header.ram == Header::Ram::kAll ? 1 : 0;
  return line;
}

void add_units(Report& report, const Header& header, const UnitTotals& units,
               const Alerts& alerts) {
  std::map<std::string, UnitSum> sums;
  for (const UnitTotalsRow& row : units.rows()) sums[row.unit].add(row);
  for (const Alert& alert : alerts.rows()) ++sums[alert.unit].alerts;
  const Bytes bytes(header.page_size);
  // clang 14 captures no structured binding (CWG 2313, P1091).
  for (const auto& entry : sums) {
    const UnitSum& sum = entry.second;
    const bool is_sized = sum.has_pages && header.has_pages;
    const auto if_sized = [&](std::uint64_t pages) {
      return is_sized ? Number(bytes.of(pages)) : std::nullopt;
    };
    const auto if_mapped = [&](std::uint64_t number) {
      return sum.has_pages ? Number(number) : std::nullopt;
    };
    add_row(report, FactTable::kUnits, {entry.first},
            {if_sized(sum.physical.text), if_sized(sum.physical.data), if_sized(sum.physical.bss),
             if_mapped(sum.processes), if_mapped(bytes.of(sum.unique)),
             sum.is_share_known ? if_mapped(bytes.of(sum.share)) : std::nullopt,
             if_mapped(bytes.of(sum.resident)), sum.alerts});
  }
}

void add_regions(Report& report, const Header& header, const RegionUse& regions) {
  const Bytes bytes(header.page_size);
  for (std::size_t i = 0; i < kRegions; ++i) {
    const RegionUse::Pages& pages = regions.regions()[i];
    if (pages.frames == 0 && pages.resident == 0) continue;
    add_row(report, FactTable::kRegions, {std::string(name(static_cast<Region>(i)))},
            {header.has_pages ? Number(bytes.of(pages.frames)) : std::nullopt,
             bytes.of(pages.resident)});
  }
}

void add_counters(Report& report, const ChosenCounters& counters) {
  report.snapshot.lost = limited(counters.lost());
  for (const auto& [counter, value] : counters.values())
    add_row(report, FactTable::kCounters, {counter}, {value});
}

void add_names(Report& report, const Header& header, const NameUses& names, std::size_t top) {
  const Bytes bytes(header.page_size);
  for (const auto& entry : names.largest(top)) {
    const auto& [name, user] = entry.first;
    const NameUses::Sum& sum = entry.second;
    const auto size = [&](bool is_known, std::uint64_t value) {
      return is_known && sum.is_known ? Number(value) : std::nullopt;
    };
    add_row(report, FactTable::kNames, {name, user},
            {sum.processes, size(sum.use.is_unique_known, bytes.of(sum.use.unique)),
             size(sum.use.is_share_known, bytes.of(sum.use.share)),
             size(true, bytes.of(sum.use.resident)), size(true, bytes.of(sum.use.swapped())),
             size(true, bytes.of(sum.max_resident)), sum.minor_faults, sum.major_faults});
  }
}

void add_ram(Report& report, const Ledger& ledger) {
  if (!ledger.is_known()) return;
  const Bytes bytes(ledger.header().page_size);
  for (const ClassPages& row : class_pages(ledger))
    add_row(report, FactTable::kClasses, {row.name},
            {bytes.of(row.pages), row.owned ? Number(bytes.of(*row.owned)) : std::nullopt});
  for (const auto& [key, size] : RamOfSnapshot::of(ledger).owners)
    add_row(report, FactTable::kCaches,
            {key.first == FleetOwnerKind::kSlab ? "slab" : "file system", key.second}, {size});
}

/// Processes of one name are one row.
void add_leaks(Report& report, const LeakSearch& search) {
  if (!search.has_times()) return;
  constexpr double kSecondsOfHour = 3600;
  struct Sum {
    double slope = 0;
    std::uint64_t pages = 0;
    Confidence confidence = Confidence::kHigh;
  };
  std::map<std::pair<std::string, std::string>, Sum> sums;
  for (const LeakRow& row : search.rows()) {
    if (!row.verdict.is_leak() || row.has_ended || row.is_area) continue;
    Sum& sum = sums[{row.process, std::string(name(row.region))}];
    sum.slope += row.verdict.fit.slope;
    sum.pages += row.last_pages;
    sum.confidence = std::min(sum.confidence, row.verdict.confidence);
  }
  const PageSize page_size{report.snapshot.page_size};
  for (const auto& [key, sum] : sums) {
    const double slope = sum.slope * static_cast<double>(page_size.bytes) * kSecondsOfHour;
    add_row(report, FactTable::kLeaks, {key.first, key.second},
            {static_cast<std::uint64_t>(std::llround(std::clamp(slope, 0.0, 1e18))),
             Bytes(page_size).of(sum.pages), static_cast<std::uint64_t>(sum.confidence)});
  }
}

}  // namespace physmem::fleet
