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
constexpr std::array<Total, 14> kTotals{{{"total", {"MemTotal"}},
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
                                         {"poison", {"HardwareCorrupted"}}}};

/// kB of a line of /proc/meminfo.
std::optional<std::uint64_t> kb_of(std::string_view meminfo, std::string_view name) {
  TextCursor lines(meminfo);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    if (!line.skip(name) || !line.skip(':')) continue;
    line.skip_blanks();
    return line.number();
  }
  return std::nullopt;
}

std::optional<std::uint64_t> vmstat_of(std::string_view vmstat, std::string_view name) {
  TextCursor lines(vmstat);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    if (line.until(' ') == name) return line.number();
  }
  return std::nullopt;
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
  if (const auto pages = vmstat_of(vmstat, "nr_zspages")) totals.push_back({"zsmalloc", *pages});
  std::uint64_t free = 0;
  std::uint64_t listed = 0;
  for (const MemoryZone& zone : zones) {
    free += zone.free;
    listed += zone.percpu_lists;
  }
  totals.push_back({"free_in_zones", free});
  totals.push_back({"free_percpu", listed});
  return totals;
}

std::vector<Counter> read_ram_totals(const ProcTree& tree, const std::vector<MemoryZone>& zones,
                                     std::uint64_t page_size) {
  ReadBuffer meminfo;
  ReadBuffer vmstat;
  if (read_at(tree.fd(), "meminfo", meminfo) != Access::kRead) return {};
  const bool has_vmstat = read_at(tree.fd(), "vmstat", vmstat) == Access::kRead;
  return ram_totals(meminfo.text(), has_vmstat ? vmstat.text() : std::string_view(), zones,
                    page_size);
}

}  // namespace physmem::collect
