// SPDX-License-Identifier: MIT
#include "analyzer/shape/overview_shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace physmem {
namespace {

/// The size of so many kB, for people.
std::string size(std::uint64_t kib) {
  return human_size(kib, PageSize{1024});
}

std::string uptime(std::uint64_t seconds) {
  const std::uint64_t minutes = seconds / 60, hours = minutes / 60, days = hours / 24;
  if (days != 0) return fmt::format("{} d {} h", days, hours % 24);
  return hours != 0 ? fmt::format("{} h {} min", hours, minutes % 60)
                    : fmt::format("{} min", minutes);
}

/// "Of other: hugetlb 64.0 MiB, compressed 24.6 MiB (80.0 MiB of swap, 3.3 : 1)"; or nothing.
std::string other_line(const MemoryTotals& totals) {
  std::string line;
  if (totals.hugetlb() != 0) line += " hugetlb " + size(totals.hugetlb());
  if (const std::uint64_t compressed = totals.compressed(); compressed != 0) {
    line += fmt::format("{} compressed {}", line.empty() ? "" : ",", size(compressed));
    if (const std::uint64_t whole = totals.uncompressed(); whole != 0)
      line += fmt::format(" ({} of swap, {:.1f} : 1)", size(whole),
                          static_cast<double>(whole) / static_cast<double>(compressed));
  }
  return line.empty() ? line : "Of other:" + line;
}

/// "RAM 23.5 GiB, 22.7 GiB available; of 3.1 GiB used, 2.6 GiB can be freed; no swap". Available is
/// what is free or can be freed, without a reserve.
std::string use_line(const MemoryTotals& totals) {
  const auto parts = totals.parts();
  std::string line = "RAM " + size(*totals.total());
  if (!parts) line += ", what it is used for is unknown";
  if (totals.available()) line += fmt::format(", {} available", size(*totals.available()));
  if (parts) {
    const std::uint64_t free = (*parts)[static_cast<std::size_t>(MemoryPart::kFree)];
    line += fmt::format("; of {} used, ", size(*totals.total() - free));
    line += totals.available() ? size(std::max(*totals.available(), free) - free) + " can be freed"
                               : "how much can be freed is unknown";
  }
  return line + (totals.swap() == 0 ? "; no swap"
                                    : fmt::format("; swap {}, {} used", size(totals.swap()),
                                                  size(totals.swap_used())));
}

}  // namespace

ShareBar memory_bar(const std::array<std::uint64_t, kMemoryParts>& parts) {
  ShareBar bar;
  for (std::size_t i = 0; i < kMemoryParts; ++i)
    bar.parts.push_back({kMemoryPartTexts[i].letter, parts[i]});
  return bar;
}

Table memory_table(const MemoryTotals& totals, PageSize size) {
  Table table{{"memory",
               "RAM by the kernel's totals",
               {{"Part", Column::Kind::kText},
                {"Size", Column::Kind::kSize},
                {"%", Column::Kind::kNumber, "percent"}}},
              {}};
  const auto parts = totals.parts();
  for (std::size_t i = 0; parts && i < kMemoryParts; ++i)
    table.rows.push_back({std::string(kMemoryPartTexts[i].name),
                          static_cast<double>((*parts)[i] << 10) / static_cast<double>(size.bytes),
                          percent((*parts)[i], *totals.total())});
  return table;
}

std::vector<std::string> memory_lines(const MemoryTotals& totals) {
  if (!totals.total()) return {"RAM: unknown, the snapshot has no totals of the kernel"};
  const auto parts = totals.parts();
  std::vector<std::string> lines(parts ? 2 : 0);
  for (std::size_t i = 0; parts && i < kMemoryParts; ++i) {
    std::string& line = lines[i / 3];
    line += fmt::format("{}{}{} {}", line.empty() ? "" : "   ", kMemoryPartTexts[i].letter,
                        kMemoryPartTexts[i].name, size((*parts)[i]));
  }
  if (const std::string other = other_line(totals); parts && !other.empty()) lines.push_back(other);
  lines.push_back(use_line(totals));
  return lines;
}

std::string machine_line(const Header& header) {
  std::string line = header.host.empty() ? "" : header.host + ": ";
  line += fmt::format("Linux {} ({})", header.kernel, header.arch);
  if (header.time_ns) line += ", " + utc_text(*header.time_ns);
  if (header.uptime_ns) line += ", up " + uptime(*header.uptime_ns / 1'000'000'000);
  return line;
}

std::string alerts_line(const Alerts& alerts, PageSize size) {
  if (!alerts.exact_rule_applies()) return "unknown without the pages of processes";
  std::uint64_t saving = 0;
  for (const PrivateText& unit : alerts.private_text()) saving += unit.saving();
  return fmt::format("{} of private code ({} could be shared)",
                     counted(alerts.count(Alert::Rule::kPrivateText), "area"),
                     human_size(saving, size));
}

}  // namespace physmem
