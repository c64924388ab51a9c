// SPDX-License-Identifier: MIT
#include "analyzer/shape/summary_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "analyzer/shape/ledger_shape.h"
#include "analyzer/shape/totals_shape.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

constexpr std::size_t kTop = 5;

struct Named {
  std::string name;
  double pages = 0;
  std::optional<std::uint64_t> pid = {};  ///< of a process
};

/// Ordered by size, largest first, without empty ones.
std::vector<Named> ranked(std::vector<Named> all, std::size_t limit) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Named& a, const Named& b) { return a.pages > b.pages; });
  all.erase(std::find_if(all.begin(), all.end(), [](const Named& n) { return n.pages < 1; }),
            all.end());
  if (all.size() > limit) all.resize(limit);
  return all;
}

std::vector<Named> processes(const Summary& summary,
                             const std::function<double(const BasicRow&)>& pages) {
  std::vector<Named> all;
  for (const BasicRow& row : summary.basic().rows()) all.push_back({row.name, pages(row), row.pid});
  return ranked(std::move(all), kTop);
}

std::vector<Named> unique(const Summary& summary) {
  return processes(summary, [](const BasicRow& row) { return static_cast<double>(row.unique); });
}

std::vector<Named> proportional(const Summary& summary) {
  return processes(
      summary, [](const BasicRow& row) { return row.is_share_known ? row.share.pages() : 0.0; });
}

std::vector<Named> units(const Summary& summary) {
  std::vector<Named> all;
  const std::vector<UnitTotalsRow> rows = summary.units().rows();
  const std::vector<std::string> labels = unit_labels(rows);
  for (std::size_t i = 0; i < rows.size(); ++i)
    all.push_back({labels[i], static_cast<double>(rows[i].physical.total())});
  return ranked(std::move(all), kTop);
}

std::vector<Named> regions(const Summary& summary) {
  std::vector<Named> all;
  for (std::size_t i = 0; i < kRegions; ++i)
    all.push_back(
        {std::string(name(static_cast<Region>(i))), static_cast<double>(summary.regions()[i])});
  return ranked(std::move(all), kRegions);
}

std::string line(std::string_view title, const std::string& text) {
  return fmt::format("{:<14} {}", title, text);
}

std::string list(const std::vector<Named>& entries, const View& view) {
  std::string text;
  for (const Named& entry : entries)
    text += fmt::format(
        "{}{}{} {}", text.empty() ? "" : ", ", entry.name,
        entry.pid ? fmt::format(" ({})", *entry.pid) : "",
        human_size(static_cast<std::uint64_t>(std::llround(entry.pages)), view.header.page_size));
  return text.empty() ? "none" : text;
}

/// The header does not state the size of a part of RAM.
std::optional<std::uint64_t> ram_pages(const Summary& summary, const View& view) {
  if (view.header.ram_pages || !summary.ledger().is_known()) return view.header.ram_pages;
  return summary.ledger().frames();
}

std::string ram(const Summary& summary, const View& view) {
  const std::optional<std::uint64_t> pages = ram_pages(summary, view);
  if (!pages) return "unknown";
  return fmt::format("{} in pages of {} bytes{}{}", human_size(*pages, view.header.page_size),
                     view.header.page_size.bytes, view.header.selection.empty() ? "" : ", ",
                     view.header.selection);
}

std::string user_space(const Summary& summary, const View& view) {
  std::string text =
      fmt::format("unknown, the snapshot lists no {};", view.header.has_areas ? "pages" : "areas");
  if (summary.pages().is_known()) {
    const std::uint64_t pages = summary.pages().pages();
    text = human_size(pages, view.header.page_size);
    if (const auto all = ram_pages(summary, view).value_or(0); all != 0)
      text += fmt::format(" ({:.1f} % of RAM)",
                          100.0 * static_cast<double>(pages) / static_cast<double>(all));
    text += ",";
  }
  return text + fmt::format(" {} with {}, {}", counted(summary.processes(), "process"),
                            counted(summary.threads(), "thread"),
                            counted(summary.kernel_threads(), "kernel thread"));
}

std::string alerts(const Alerts& alerts, PageSize size) {
  const std::uint64_t paper = alerts.count(Alert::Rule::kSingleAndShared);
  if (!alerts.exact_rule_applies())
    return fmt::format(
        "{} with single and shared pages; private code is not known without page flags",
        counted(paper, "area"));
  std::uint64_t saving = 0;
  for (const PrivateText& unit : alerts.private_text()) saving += unit.saving();
  return fmt::format("{} with private code ({} could be shared); {} with single and shared pages",
                     counted(alerts.count(Alert::Rule::kPrivateText), "area"),
                     human_size(saving, size), counted(paper, "area"));
}

}  // namespace

std::vector<std::string> summary_text(const Summary& summary, const View& view,
                                      const std::vector<RamVerdict>& verdicts,
                                      const std::vector<std::string>& missing) {
  std::vector<std::string> lines;
  if (summary.ledger().is_known())
    lines.push_back(line("Ledger", ledger_line(summary.ledger(), verdicts)));
  for (const auto& [title, text] : {std::pair{"Snapshot", origin(view.header)},
                                    {"RAM", ram(summary, view)},
                                    {"User space", user_space(summary, view)}})
    lines.push_back(line(title, text));
  const bool has_pages = summary.pages().is_known();
  if (has_pages) lines.push_back(line("By use", list(regions(summary), view)));
  if (view.header.has_areas) lines.push_back(line("Most unique", list(unique(summary), view)));
  if (has_pages) {
    lines.push_back(line("Most by share", list(proportional(summary), view)));
    lines.push_back(line("Largest files", list(units(summary), view)));
  }
  if (view.header.has_areas) {
    lines.push_back(line("Swapped out", human_size(summary.swapped(), view.header.page_size)));
    lines.push_back(line("Alerts", alerts(summary.alerts(), view.header.page_size)));
  }
  for (const std::string& what : missing) lines.push_back(line("Missing", what));
  return lines;
}

Table summary_table(const Summary& summary, const View& view) {
  Table table{{"summary",
               "Summary",
               {{"Section", Kind::kText}, {"Name", Kind::kText}, {"Size", Kind::kSize}, {"PID"}}},
              {}};
  const auto add = [&](const char* section, const std::vector<Named>& entries) {
    for (const Named& entry : entries)
      table.rows.push_back({std::string(section), entry.name,
                            static_cast<std::uint64_t>(std::llround(entry.pages)),
                            entry.pid ? Cell(*entry.pid) : Cell()});
  };
  const std::optional<std::uint64_t> pages_of_ram = ram_pages(summary, view);
  table.rows.push_back(
      {std::string("ram"), std::string(), pages_of_ram ? Cell(*pages_of_ram) : Cell(), {}});
  table.rows.push_back({std::string("user"),
                        std::string(),
                        summary.pages().is_known() ? Cell(summary.pages().pages()) : Cell(),
                        {}});
  table.rows.push_back({std::string("swapped"),
                        std::string(),
                        view.header.has_areas ? Cell(summary.swapped()) : Cell(),
                        {}});
  if (summary.pages().is_known()) add("region", regions(summary));
  add("unique", unique(summary));
  if (summary.pages().is_known()) {
    add("proportional", proportional(summary));
    add("file", units(summary));
  }
  return table;
}

}  // namespace physmem
