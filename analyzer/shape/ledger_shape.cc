// SPDX-License-Identifier: MIT
#include "analyzer/shape/ledger_shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/analyze/ram/class_pages.h"
#include "analyzer/shape/owner_words.h"
#include "analyzer/shape/verify_shape.h"

namespace physmem {
namespace {

/// Classes that are hardly visible in a bar of all of RAM.
constexpr double kSmallShare = 0.05;

using Kind = Column::Kind;

/// The totals and the frames are not of the same moment.
std::string excess_text(const Ledger& ledger) {
  const std::uint64_t excess = ledger.explained_too_much(), moved = ledger.moved();
  return fmt::format(
      "the totals explain {} more than are unmarked: {} pages moved while frames "
      "were read{}",
      counted(excess, "page"),
      excess <= moved ? "up to " + std::to_string(moved) : "only " + std::to_string(moved),
      excess <= moved ? "" : ", so a total or a class is wrong");
}

/// As many rows as the chart has colours: the smallest are one row.
std::vector<ClassPages> chart_rows(const Ledger& ledger) {
  constexpr std::size_t kLargest = 10;
  std::vector<ClassPages> rows = class_pages(ledger);
  const bool has_unknown = !rows.empty() && rows.back().name == "unknown";
  const std::size_t known = rows.size() - (has_unknown ? 1 : 0);
  if (known <= kLargest + 1) return rows;
  ClassPages others{fmt::format("{} other classes", known - kLargest), 0};
  for (std::size_t i = kLargest; i < known; ++i) others.pages += rows[i].pages;
  rows.erase(rows.begin() + kLargest, rows.begin() + static_cast<std::ptrdiff_t>(known));
  rows.insert(rows.begin() + kLargest, std::move(others));
  return rows;
}

}  // namespace

std::string ledger_line(const Ledger& ledger, const std::vector<RamVerdict>& verdicts) {
  if (!ledger.is_known()) return "unknown, " + std::string(kNoFrames);
  const std::uint64_t all = ledger.frames();
  const std::uint64_t unmarked = ledger.of(PM_RAM_UNMARKED) + ledger.of(PM_RAM_UNKNOWN);
  const std::uint64_t residue = ledger.residue();
  const PageSize size = ledger.header().page_size;
  std::string text = fmt::format("{} of RAM: {:.2f} % with a class", human_size(all, size),
                                 percent(all - unmarked, all));
  if (ledger.owned() != 0)
    text += fmt::format(", {:.2f} % with an owner", percent(ledger.owned(), all));
  const bool has_totals = !ledger.explained().empty();
  if (ledger.of(PM_RAM_UNMARKED) != 0 && has_totals)
    text += fmt::format(", {:.2f} % explained by totals", percent(unmarked - residue, all));
  text += fmt::format(", {:.2f} % {} ({})", percent(residue, all),
                      has_totals || ledger.of(PM_RAM_UNMARKED) == 0 ? "unknown" : "unmarked",
                      human_size(residue, size));
  if (ledger.explained_too_much() != 0) text += "; " + excess_text(ledger);
  return verdicts.empty() ? text : text + "; " + verdict_text(verdicts);
}

Table ledger_table(const Ledger& ledger) {
  Table table{{"ledger",
               "RAM by class",
               {{"Class", Kind::kText},
                {"Size", Kind::kSize},
                {"%", Kind::kNumber, "percent"},
                {"With owner", Kind::kSize}}},
              {}};
  const std::uint64_t all = ledger.frames();
  for (const ClassPages& row : class_pages(ledger))
    table.rows.push_back({class_cell(row.name), row.pages, percent(row.pages, all),
                          row.owned ? Cell(*row.owned) : Cell()});
  if (!ledger.is_known()) return table;  // a total of 0 would be wrong
  table.rows.push_back({std::string("total"), all, all == 0 ? 0.0 : 100.0, {}});
  return table;
}

Table owners_table(const Ledger& ledger) {
  Table table{{"owners",
               "Owners of frames",
               {{"Kind", Kind::kText},
                {"Size", Kind::kSize},
                {"Mapped", Kind::kSize},
                {"Dirty", Kind::kSize},
                {"Active", Kind::kSize},
                {"Identity", Kind::kText},
                {"State", Kind::kText},
                {"Name", Kind::kText}}},
              {}};
  table.head.spare = {"Active", "Dirty", "State", "Identity", "Mapped"};
  std::vector<const OwnerRow*> rows;
  for (const OwnerRow& row : ledger.owners())
    if (row.pages != 0) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const OwnerRow* a, const OwnerRow* b) { return a->pages > b->pages; });
  for (const OwnerRow* row : rows)
    table.rows.push_back({owner_kind(row->owner.kind), row->pages, row->mapped, row->dirty,
                          row->active, owner_identity(OwnerIdentity::of(row->owner)),
                          owner_state(row->owner), row->owner.name});
  return table;
}

BarChart ledger_chart(const Ledger& ledger, const View& view) {
  BarChart chart;
  chart.title = "The whole of RAM by class";
  chart.subtitle = origin(view.header);
  chart.bar_titles = {"RAM"};
  chart.page_size = view.header.page_size.bytes;
  BarChart::Group& group = chart.groups.emplace_back();
  group.label = "RAM";
  group.bars.emplace_back();
  for (const ClassPages& row : chart_rows(ledger)) {
    chart.series.push_back(fmt::format("{} {} ({:.1f} %)", class_title(row.name),
                                       human_size(row.pages, view.header.page_size),
                                       percent(row.pages, ledger.frames())));
    chart.colours.push_back(class_colour(row.name));
    group.bars.front().push_back(row.pages);
  }
  return chart;
}

BarChart small_classes_chart(const Ledger& ledger, const View& view) {
  BarChart chart;
  chart.title = fmt::format("The classes with less than {:.0f} % of it", 100 * kSmallShare);
  chart.subtitle = origin(view.header);
  chart.page_size = view.header.page_size.bytes;
  for (const ClassPages& row : class_pages(ledger)) {
    const double share = static_cast<double>(row.pages) / static_cast<double>(ledger.frames());
    if (row.pages == 0 || share >= kSmallShare) continue;
    std::vector<std::uint64_t> bar(chart.colours.size());  // a series for each class
    bar.push_back(row.pages);
    chart.colours.push_back(class_colour(row.name));
    chart.groups.push_back({class_title(row.name), {std::move(bar)}});
  }
  return chart;
}

}  // namespace physmem
