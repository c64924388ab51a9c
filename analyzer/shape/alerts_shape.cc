// SPDX-License-Identifier: MIT
#include "analyzer/shape/alerts_shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace physmem {
namespace {

using Kind = Column::Kind;

std::string_view rule_name(Alert::Rule rule) {
  return rule == Alert::Rule::kPrivateText ? "private-text" : "single-and-shared";
}

const PrivateText& cost_of(const Alert& alert, const Alerts& alerts) {
  return *std::find_if(alerts.private_text().begin(), alerts.private_text().end(),
                       [&](const PrivateText& unit) { return unit.key == alert.key; });
}

std::string sentence(const Alert& alert, const View& view) {
  if (alert.rule == Alert::Rule::kSingleAndShared)
    return fmt::format(
        "Alert! VMA [ {}] in \"{}\" has {} single usage and {} shared usage, flags = {:08X}",
        unit_name(alert.unit, view.header), alert.process, alert.single, alert.shared, alert.flags);
  return fmt::format(
      "Alert! Private text: {} in \"{}\" (pid {}) has {} of private code at {:08X}, flags = "
      "{:08X}",
      alert.unit, alert.process, alert.pid, counted(alert.private_pages, "page"), alert.start,
      alert.flags);
}

std::string proof(const PrivateText& unit) {
  if (!unit.has_text_relocations) return "its file cannot be read, so DT_TEXTREL is unknown";
  return *unit.has_text_relocations
             ? "DT_TEXTREL shows that it is not position-independent: compile it with -fPIC"
             : "no DT_TEXTREL: a debugger, a probe or the process itself wrote to it";
}

std::string cost(const PrivateText& unit, const View& view) {
  return fmt::format("{}: {} of code in {}; one shared copy would save {} ({}); {}", unit.unit,
                     counted(unit.copies, "private page"), counted(unit.processes, "process"),
                     unit.saving(), human_size(unit.saving(), view.header.page_size), proof(unit));
}

/// Without alerts. Not known is not none.
std::string no_alerts(const Alerts& alerts, const View& view) {
  return alerts.exact_rule_applies() || view.header.version < 2
             ? "No alerts."
             : "Alerts are unknown: the snapshot does not list pages.";
}

Cell textrel_cell(const PrivateText& unit) {
  if (!unit.has_text_relocations) return {};
  return std::string(*unit.has_text_relocations ? "yes" : "no");
}

}  // namespace

Table alerts_table(const Alerts& alerts, const View& view) {
  Table table{{"alerts",
               "Pages of shared files that are not shared",
               {{"Rule", Kind::kText},
                {"Process", Kind::kText},
                {"PID"},
                {"Unit", Kind::kText},
                {"Start", Kind::kHex},
                {"Flags", Kind::kHex},
                {"Single"},
                {"Shared"},
                {"Private text"},
                {"DT_TEXTREL", Kind::kText}}},
              {}};
  for (const Alert& alert : alerts.rows()) {
    const bool is_exact = alert.rule == Alert::Rule::kPrivateText;
    table.rows.push_back({std::string(rule_name(alert.rule)), alert.process, alert.pid,
                          unit_name(alert.unit, view.header), alert.start, alert.flags,
                          alert.single, alert.shared, is_exact ? Cell(alert.private_pages) : Cell(),
                          is_exact ? textrel_cell(cost_of(alert, alerts)) : Cell()});
  }
  return table;
}

bool is_of_the_papers_rule(const std::vector<Cell>& row) {
  const auto* const rule = std::get_if<std::string>(&row.front());
  return rule != nullptr && *rule == rule_name(Alert::Rule::kSingleAndShared);
}

std::vector<std::string> alerts_text(const Alerts& alerts, const View& view) {
  std::vector<std::string> lines;
  for (const Alert::Rule rule : {Alert::Rule::kPrivateText, Alert::Rule::kSingleAndShared})
    for (const Alert& alert : alerts.rows())
      if (alert.rule == rule) lines.push_back(sentence(alert, view));
  for (const PrivateText& unit : alerts.private_text()) lines.push_back(cost(unit, view));
  if (lines.empty()) lines.emplace_back(no_alerts(alerts, view));
  return lines;
}

Table private_text_table(const Alerts& alerts) {
  Column file{"File", Kind::kText};
  file.is_shortened = true;
  Table table{{"alerts",
               "Private pages of code that could be shared",
               {{"Command", Kind::kText}, {"PID"}, {"Pages"}, {"Start"}, file}},
              {}};
  for (const Alert& alert : alerts.rows())
    if (alert.rule == Alert::Rule::kPrivateText)
      table.rows.push_back({alert.process, alert.pid, alert.private_pages,
                            fmt::format("0x{:08x}", alert.start), alert.unit});
  return table;
}

std::vector<std::string> private_text_lines(const Alerts& alerts, const View& view) {
  std::vector<std::string> lines;
  for (const PrivateText& unit : alerts.private_text()) lines.push_back(cost(unit, view));
  if (lines.empty()) lines.emplace_back(no_alerts(alerts, view));
  if (const std::uint64_t others = alerts.count(Alert::Rule::kSingleAndShared); others != 0)
    lines.push_back(fmt::format("{} with single-use and shared pages: --full lists them",
                                counted(others, "area")));
  return lines;
}

}  // namespace physmem
