// SPDX-License-Identifier: MIT
#include "collector-proc/ram/ram_totals.h"

#include <algorithm>
#include <array>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

/// A total is the sum of lines of /proc/meminfo, of which at least the first must exist.
struct Total {
  const char* name;
  std::array<std::string_view, 2> lines;
};
constexpr std::array<Total, 15> kTotals{{{"total", {"MemTotal"}},
                                         {"free", {"MemFree"}},
                                         {"cached", {"Cached"}},
                                         {"buffers", {"Buffers"}},
                                         {"swap_cached", {"SwapCached"}},
                                         {"anon", {"AnonPages"}},
                                         {"shmem", {"Shmem"}},
                                         {"slab", {"Slab"}},
                                         {"page_tables", {"PageTables", "SecPageTables"}},
                                         {"kernel_stack", {"KernelStack"}},
                                         {"vmalloc", {"VmallocUsed"}},
                                         {"percpu", {"Percpu"}},
                                         {"hugetlb", {"Hugetlb"}},
                                         {"zswap", {"Zswap"}},
                                         {"poison", {"HardwareCorrupted"}}}};

/// kB of a line of /proc/meminfo.
std::optional<std::uint64_t> kb_of(std::string_view meminfo, std::string_view name) {
  return number_of_line(meminfo, std::string(name) + ":");
}

/// More than any kernel has: 14 on arm64 with pages of 64 KiB.
constexpr std::size_t kMaxOrders = 32;

/// Since boot. The zones have a line each.
std::uint64_t allocated_pages(std::string_view vmstat) {
  std::uint64_t pages = 0;
  TextCursor lines(vmstat);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    if (!line.skip("pgalloc_")) continue;
    line.until(' ');
    pages += line.number().value_or(0);
  }
  return pages;
}

/// Pages that the kernel moved to other frames, or tried to, since boot. Missing without migration.
std::uint64_t migrated_pages(std::string_view vmstat) {
  std::uint64_t pages = 0;
  for (const char* const name : {"pgmigrate_success ", "pgmigrate_fail "})
    pages += number_of_line(vmstat, name).value_or(0);
  return pages;
}

}  // namespace

std::vector<Counter> ram_totals(std::string_view meminfo, std::string_view vmstat,
                                const std::vector<MemoryZone>& zones, std::uint64_t page_size) {
  std::vector<Counter> totals;
  for (const Total& total : kTotals) {
    const auto kb = kb_of(meminfo, total.lines[0]);
    if (!kb) continue;
    const std::uint64_t more =
        total.lines[1].empty() ? 0 : kb_of(meminfo, total.lines[1]).value_or(0);
    totals.push_back({total.name, (*kb + more) * 1024 / page_size});
  }
  if (const auto pages = number_of_line(vmstat, "nr_zspages "))
    add_counters("", {{"zsmalloc", *pages}}, totals);
  if (const auto pages = number_of_line(vmstat, "pgfree "))
    add_counters("",
                 {{"allocated", allocated_pages(vmstat)},
                  {"freed", *pages},
                  {"migrated", migrated_pages(vmstat)}},
                 totals);
  std::uint64_t free = 0;
  std::uint64_t listed = 0;
  for (const MemoryZone& zone : zones) {
    free += zone.free;
    listed += zone.percpu_lists;
  }
  add_counters("", {{"free_in_zones", free}, {"free_percpu", listed}}, totals);
  return totals;
}

// "Node 0, zone   Normal     10     3 …"
std::vector<Counter> free_orders(std::string_view buddyinfo) {
  std::vector<std::uint64_t> pages;
  TextCursor lines(buddyinfo);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    line.until(',');
    if (!line.skip(" zone")) continue;
    line.skip_blanks();
    line.until(' ');
    for (std::size_t order = 0; order < kMaxOrders; ++order) {
      line.skip_blanks();
      const auto blocks = line.number();
      if (!blocks) break;
      if (order == pages.size()) pages.push_back(0);
      pages[order] += *blocks << order;
    }
  }
  std::vector<Counter> totals;
  for (std::size_t order = 0; order < pages.size(); ++order)
    totals.push_back({"free_order." + std::to_string(order), pages[order]});
  return totals;
}

std::vector<Counter> TotalsReader::read() {
  if (read_at(tree_.fd(), "meminfo", meminfo_) != Access::kRead) return {};
  const bool has_zones = read_at(tree_.fd(), "zoneinfo", zoneinfo_) == Access::kRead;
  const bool has_vmstat = read_at(tree_.fd(), "vmstat", vmstat_) == Access::kRead;
  std::vector<Counter> totals = ram_totals(
      meminfo_.text(), has_vmstat ? vmstat_.text() : std::string_view(),
      has_zones ? parse_zoneinfo(zoneinfo_.text()) : std::vector<MemoryZone>(), page_size_);
  if (read_at(tree_.fd(), "buddyinfo", buddyinfo_) == Access::kRead)
    for (Counter& total : free_orders(buddyinfo_.text())) totals.push_back(std::move(total));
  return totals;
}

std::uint64_t read_cpus(const ProcTree& tree) {
  ReadBuffer stat;
  if (read_at(tree.fd(), "stat", stat) != Access::kRead) return 0;
  std::uint64_t cpus = 0;
  TextCursor lines(stat.text());
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    cpus += line.skip("cpu") && line.number() ? 1 : 0;
  }
  return cpus;
}

}  // namespace physmem::collect
