// SPDX-License-Identifier: MIT
#include "analyzer/shape/ledger_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "analyzer/analyze/class_pages.h"
#include "analyzer/shape/owner_words.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

const char* verdict_word(VerdictKind kind) {
  constexpr std::array<const char*, 4> kWords{"agrees", "moved", "differs", "cannot be compared"};
  return kWords[static_cast<std::size_t>(kind)];
}

/// Why our number may be outside of the change.
std::string came_and_went(const RamVerdict& verdict) {
  const auto off = static_cast<std::uint64_t>(std::abs(verdict.difference()));
  return off <= verdict.tolerance
             ? ""
             : fmt::format(", and up to {} pages came and went", verdict.churn);
}

/// Whether it agrees, but not exactly.
bool uses_tolerance(const WitnessMember& member) {
  return member.kind == VerdictKind::kAgrees && member.ours_kib != member.theirs_kib.after;
}

/// How many of the members there are of each kind, and the first that differs.
std::string members_detail(const RamVerdict& verdict) {
  const std::size_t all = verdict.members.size();
  const std::size_t unknowable = verdict.members_of(VerdictKind::kUnknowable);
  std::string text = fmt::format("{} compared", all - unknowable);
  if (const std::size_t moved = verdict.members_of(VerdictKind::kMoved); moved != 0)
    text += fmt::format(", {} moved", moved);
  if (std::any_of(verdict.members.begin(), verdict.members.end(), uses_tolerance))
    text += verdict.tolerance == 0
                ? fmt::format(" ({})", verdict.rule)
                : fmt::format(", each within {} pages ({})", verdict.tolerance, verdict.rule);
  if (unknowable != 0)
    text += fmt::format("; {} cannot be compared ({})", unknowable, verdict.reason);
  const std::size_t differ = verdict.members_of(VerdictKind::kDiffers);
  if (differ == 0) return text;
  const auto first =
      std::find_if(verdict.members.begin(), verdict.members.end(),
                   [](const WitnessMember& m) { return m.kind == VerdictKind::kDiffers; });
  return fmt::format("{} of {} differ{}: {}, {} kB for {} kB{}", differ, all - unknowable,
                     differ == 1 ? "s" : "", first->name, first->ours_kib, first->theirs_kib.after,
                     differ == 1 ? "" : " …");
}

std::string verdict_detail(const RamVerdict& verdict) {
  if (!verdict.members.empty()) return members_detail(verdict);
  if (verdict.frames_off != 0)
    return fmt::format("{} frames differ{}", verdict.frames_off,
                       verdict.rule.empty() ? "" : fmt::format(" ({})", verdict.rule));
  switch (verdict.kind) {
    case RamVerdict::Kind::kMoved:
      return fmt::format("from {} to {} while frames were read{}", verdict.theirs.before,
                         verdict.theirs.after, came_and_went(verdict));
    case RamVerdict::Kind::kDiffers:
      return fmt::format("by {} pages{}", verdict.difference(),
                         verdict.tolerance == 0
                             ? ""
                             : fmt::format("; up to {} may be missing or too many: {}",
                                           verdict.tolerance, verdict.rule));
    case RamVerdict::Kind::kUnknowable:
      return std::string(verdict.reason);
    case RamVerdict::Kind::kAgrees:
      break;
  }
  return verdict.difference() == 0 ? ""
                                   : fmt::format("within {} ({})", verdict.tolerance, verdict.rule);
}

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

std::string verdict_text(const std::vector<RamVerdict>& verdicts) {
  const std::size_t agree = count(verdicts, VerdictKind::kAgrees);
  const std::size_t moved = count(verdicts, VerdictKind::kMoved);
  const std::size_t differ = count(verdicts, VerdictKind::kDiffers);
  const std::size_t unknowable = verdicts.size() - agree - moved - differ;
  std::string text = fmt::format("{} of {} witnesses agree", agree, verdicts.size());
  if (moved != 0) text += fmt::format(", {} moved", moved);
  if (differ != 0) text += fmt::format(", {} differ{}", differ, differ == 1 ? "s" : "");
  if (unknowable != 0) text += fmt::format(", {} cannot be compared", unknowable);
  return text;
}

std::string ledger_line(const Ledger& ledger) {
  return ledger_line(ledger, ram_verdicts(ledger));
}

std::string ledger_line(const Ledger& ledger, const std::vector<RamVerdict>& verdicts) {
  if (!ledger.is_known()) return "unknown, " + std::string(kNoFrames);
  const std::uint64_t all = ledger.frames();
  const std::uint64_t unmarked = ledger.of(PM_RAM_UNMARKED) + ledger.of(PM_RAM_UNKNOWN);
  const std::uint64_t residue = ledger.residue();
  const PageSize size = ledger.header().page_size;
  std::string text = fmt::format("{} pages of RAM ({}): {:.2f} % with a class", all,
                                 human_size(all, size), percent(all - unmarked, all));
  if (ledger.owned() != 0)
    text += fmt::format(", {:.2f} % with an owner", percent(ledger.owned(), all));
  const bool has_totals = !ledger.explained().empty();
  if (ledger.of(PM_RAM_UNMARKED) != 0 && has_totals)
    text += fmt::format(", {:.2f} % explained by totals", percent(unmarked - residue, all));
  text += fmt::format(", {:.2f} % {} ({} pages, {})", percent(residue, all),
                      has_totals || ledger.of(PM_RAM_UNMARKED) == 0 ? "unknown" : "unmarked",
                      residue, human_size(residue, size));
  if (ledger.explained_too_much() != 0) text += "; " + excess_text(ledger);
  return verdicts.empty() ? text : text + "; " + verdict_text(verdicts);
}

Table ledger_table(const Ledger& ledger, const View& view) {
  Table table{{"ledger",
               "RAM by class",
               {{"Class", Kind::kText},
                {"Pages"},
                {"MiB", Kind::kNumber, "mib"},
                {"%", Kind::kNumber, "percent"},
                {"With owner"}}},
              {}};
  const std::uint64_t all = ledger.frames();
  for (const ClassPages& row : class_pages(ledger))
    table.rows.push_back({row.name, row.pages, mib(row.pages, view.header.page_size),
                          percent(row.pages, all), row.owned ? Cell(*row.owned) : Cell()});
  table.rows.push_back(
      {std::string("total"), all, mib(all, view.header.page_size), all == 0 ? 0.0 : 100.0, {}});
  return table;
}

Table owners_table(const Ledger& ledger, const View& view) {
  Table table{{"owners",
               "Owners of frames",
               {{"Kind", Kind::kText},
                {"Pages"},
                {"MiB", Kind::kNumber, "mib"},
                {"Mapped"},
                {"Dirty"},
                {"Active"},
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
    table.rows.push_back({owner_kind(row->owner.kind), row->pages,
                          mib(row->pages, view.header.page_size), row->mapped, row->dirty,
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
    chart.series.push_back(row.name);
    group.bars.front().push_back(row.pages);
  }
  return chart;
}

Table witness_table(const std::vector<RamVerdict>& verdicts) {
  Table table{{"witnesses",
               "What physmem and what the kernel counts, in pages",
               {{"Claim", Kind::kText},
                {"Pages"},
                {"Witness", Kind::kText},
                {"Before"},
                {"After"},
                {"Verdict", Kind::kText},
                {"Detail", Kind::kText}}},
              {}};
  table.head.spare = {"Detail"};
  for (const RamVerdict& verdict : verdicts)
    table.rows.push_back({std::string(verdict.claim), verdict.ours, std::string(verdict.witness),
                          verdict.theirs.before, verdict.theirs.after,
                          std::string(verdict_word(verdict.kind)), verdict_detail(verdict)});
  return table;
}

Table members_table(const std::vector<RamVerdict>& verdicts, bool has_all) {
  Table table{{"members",
               has_all ? "Parts of the comparisons, in kB" : "Parts that differ, in kB",
               {{"Claim", Kind::kText},
                {"Name", Kind::kText},
                {"kB", Kind::kNumber, "kb"},
                {"Before"},
                {"After"},
                {"Verdict", Kind::kText}}},
              {}};
  for (const RamVerdict& verdict : verdicts)
    for (const WitnessMember& member : verdict.members)
      if (has_all || member.kind == VerdictKind::kDiffers)
        table.rows.push_back({std::string(verdict.claim), member.name, member.ours_kib,
                              member.theirs_kib.before, member.theirs_kib.after,
                              std::string(verdict_word(member.kind))});
  return table;
}

/// "TITLE: 20 of 300 runs".
std::string runs_title(const std::string& title, std::size_t shown, std::size_t all) {
  return shown == all ? title : fmt::format("{}: {} of {} runs", title, shown, all);
}

Table miscounted_table(const MappingJoin& join, const Ledger& ledger, std::size_t max_rows) {
  const std::vector<MiscountedFrames>& all = join.differences();
  const std::string title = "Frames whose mappings differ from their count";
  Table table{{"miscounted",
               runs_title(title, std::min(max_rows, all.size()), join.different_runs()),
               {{"Frame", Kind::kHex},
                {"Pages"},
                {"Class", Kind::kText},
                {"Mappings"},
                {"Count"},
                {"Owner", Kind::kText}}},
              {}};
  for (std::size_t i = 0; i < std::min(max_rows, all.size()); ++i) {
    const MiscountedFrames& frames = all[i];
    const RamOwner* const owner = ledger.find_owner(frames.owner);
    table.rows.push_back({frames.first_pfn, frames.pages, std::string(kFrameClassWords[frames.use]),
                          frames.mappings, frames.count, owner != nullptr ? owner->name : ""});
  }
  return table;
}

}  // namespace physmem
