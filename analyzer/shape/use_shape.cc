// SPDX-License-Identifier: MIT
#include "analyzer/shape/use_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace physmem {
namespace {

using enum UseColumn;
using Kind = Column::Kind;

struct ColumnText {
  UseColumn column;
  std::string_view word;
  const char* title;
  Kind kind;
};
constexpr std::array<ColumnText, 26> kColumns{{
    {kPid, "pid", "PID", Kind::kNumber},
    {kUser, "user", "User", Kind::kText},
    {kCommand, "command", "Command", Kind::kText},
    {kCgroup, "cgroup", "Cgroup", Kind::kText},
    {kFile, "file", "File", Kind::kText},
    {kProgram, "program", "Program", Kind::kText},
    {kProcesses, "processes", "Processes", Kind::kNumber},
    {kThreads, "threads", "Threads", Kind::kNumber},
    {kUnread, "unread", "Unread", Kind::kNumber},
    {kUss, "uss", "USS", Kind::kSize},
    {kPss, "pss", "PSS", Kind::kSize},
    {kRss, "rss", "RSS", Kind::kSize},
    {kSwap, "swap", "Swap", Kind::kSize},
    {kSwapPss, "swap-pss", "Swap PSS", Kind::kSize},
    {kKsm, "ksm", "KSM", Kind::kSize},
    {kHuge, "huge", "Huge", Kind::kSize},
    {kAnon, "anon", "Anon", Kind::kSize},
    {kFilePages, "file-pages", "File pages", Kind::kSize},
    {kShmem, "shmem", "Shmem", Kind::kSize},
    {kLazyFree, "lazyfree", "LazyFree", Kind::kSize},
    {kHugetlb, "hugetlb", "Hugetlb", Kind::kSize},
    {kLocked, "locked", "Locked", Kind::kSize},
    {kDirty, "dirty", "Dirty", Kind::kSize},
    {kPageTables, "pagetables", "Page tables", Kind::kSize},
    {kVirtual, "vss", "VSS", Kind::kSize},
    {kPercent, "percent", "PSS %", Kind::kNumber},
}};

const ColumnText& text_of(UseColumn column) {
  return kColumns[static_cast<std::size_t>(column)];
}

struct GroupingText {
  std::string name;
  std::string title;
  std::vector<UseColumn> columns;
};

GroupingText text_of(UseGrouping grouping) {
  switch (grouping) {
    case UseGrouping::kName:
      return {"commands",
              "Memory by command",
              {kCommand, kProcesses, kUnread, kUss, kPss, kRss, kSwap}};
    case UseGrouping::kUser:
      return {"users", "Memory by user", {kUser, kProcesses, kUnread, kUss, kPss, kRss, kSwap}};
    case UseGrouping::kCgroup:
      return {
          "cgroups", "Memory by cgroup", {kProcesses, kUnread, kUss, kPss, kRss, kSwap, kCgroup}};
    case UseGrouping::kUnit:
      return {"units", "Memory by file", {kProcesses, kUss, kPss, kRss, kSwap, kFile}};
    case UseGrouping::kProgram:
      return {"programs",
              "Memory by program",
              {kProcesses, kUnread, kUss, kPss, kRss, kSwap, kProgram}};
    case UseGrouping::kTree:
      return {"trees",
              "Memory by tree of processes",
              {kPid, kUser, kCommand, kProcesses, kUnread, kUss, kPss, kRss, kSwap}};
    case UseGrouping::kProcess:
      break;
  }
  return {"ps", "Memory by process", {kPid, kUser, kCommand, kUss, kPss, kRss, kSwap}};
}

/// "Memory by process that maps the files", "Memory of the files by process".
GroupingText text_of(const MemoryUses& uses) {
  GroupingText text = text_of(uses.grouping());
  if (uses.is_of_units() && !uses.has_only_units()) text.title += " that maps the files";
  if (!uses.has_only_units() || uses.grouping() == UseGrouping::kUnit) return text;
  text.name = "units-by-" + text.name;
  text.title.insert(std::string_view("Memory").size(), " of the files");
  return text;
}

class UseTable {
 public:
  /// total: of all rows.
  UseTable(const UseView& use_view, const View& view, const MemoryUses& uses,
           const MemoryUse& total)
      : use_(use_view), view_(view), uses_(uses), swap_shares_(total.slots) {}

  Column head(UseColumn column) const {
    const ColumnText& text = text_of(column);
    Column head{text.title, text.kind};
    if (column == kPercent) head.key = "pss_percent";
    head.is_shortened = text.kind == Kind::kText;
    return head;
  }

  Cell cell(const MemoryUseRow& row, UseColumn column) const {
    switch (column) {
      case kPid:
        return row.pid;
      case kUser:
        return row.uid ? use_.user(*row.uid) : Cell();
      case kCommand:
      case kFile:
        return row.name;
      case kCgroup:
        return row.cgroup.empty() ? Cell() : row.cgroup;
      case kProgram: {
        const bool is_of_programs = uses_.grouping() == UseGrouping::kProgram;
        const std::string& program = is_of_programs ? row.name : row.program;
        return program.empty() ? Cell() : program;
      }
      case kProcesses:
        return row.processes == 0 ? Cell() : row.processes;
      case kThreads:
        return row.threads;
      case kUnread:
        return row.unread();
      default:
        return size(row, column);
    }
  }

  /// In a table for people, the command line of a process that still runs.
  Cell shown(const MemoryUseRow& row, UseColumn column) const {
    std::string line = column == kCommand && row.pid != 0 && use_.command_line
                           ? use_.command_line(row.pid, row.name)
                           : "";
    return line.empty() ? cell(row, column) : Cell(std::move(line));
  }

  /// The row of the total or of the rest: `label` in the column of commands, which a narrow
  /// terminal keeps, or the first one of text.
  std::vector<Cell> sum(const std::string& label, const MemoryUseRow& row,
                        const std::vector<UseColumn>& columns) const {
    std::vector<Cell> cells;
    const bool has_command = std::find(columns.begin(), columns.end(), kCommand) != columns.end();
    bool is_labelled = false;
    for (const UseColumn column : columns) {
      const bool is_text = text_of(column).kind == Kind::kText;
      const bool is_for_label = is_text && (!has_command || column == kCommand);
      if (is_for_label && !std::exchange(is_labelled, true))
        cells.emplace_back(label);
      else if (is_text || column == kPid)
        cells.emplace_back();
      else
        cells.push_back(cell(row, column));
    }
    return cells;
  }

 private:
  Cell size(const MemoryUseRow& row, UseColumn column) const {
    if ((column == kPss || column == kPercent) && !row.has_share()) return {};
    const bool is_flagged = std::ranges::find(kFlagColumns, column) != kFlagColumns.end();
    if ((column == kUss || is_flagged) && !row.has_unique()) return {};
    if (is_flagged) return flagged(row.use, column);
    const MemoryUse& use = row.use;
    switch (column) {
      case kUss:
        return Cell(use.unique);
      case kRss:
        return Cell(use.resident);
      case kSwap:
        return Cell(use.swapped());
      case kSwapPss:
        return knows_swap_share(use) ? Cell(swap_shares_.of(use.slots).pages()) : Cell();
      case kPageTables:
        return row.page_tables_kib ? Cell(static_cast<double>(*row.page_tables_kib) /
                                          static_cast<double>(view_.header.page_size.kib(1)))
                                   : Cell();
      case kVirtual:
        return use.virtual_pages == 0 ? Cell() : Cell(use.virtual_pages);
      case kPercent:
        return view_.header.ram_pages
                   ? Cell(percent(use.share.pages(), static_cast<double>(*view_.header.ram_pages)))
                   : Cell();
      default:
        return use.share.pages();
    }
  }

  /// A size by the flags of pages.
  Cell flagged(const MemoryUse& use, UseColumn column) const {
    if (column == kKsm) return uses_.knows_merged() ? Cell(use.flagged.merged) : Cell();
    if (!uses_.knows_flags()) return {};
    const FlaggedPages& pages = use.flagged;
    switch (column) {
      case kHuge:
        return pages.huge;
      case kAnon:
        return pages.anonymous;
      case kShmem:
        return pages.shared_memory;
      case kLazyFree:
        return pages.lazily_freed;
      case kHugetlb:
        return pages.hugetlb;
      case kLocked:
        return pages.locked;
      case kDirty:
        return pages.dirty;
      default: {
        const std::uint64_t others = pages.anonymous + pages.shared_memory;
        return use.resident - std::min(use.resident, others);
      }
    }
  }

  /// False if pages are in swap and no slot is known.
  bool knows_swap_share(const MemoryUse& use) const {
    return view_.header.has_pages && (use.in_unknown_slots == 0 || use.slots.entries() != 0);
  }

  const UseView& use_;
  const View& view_;
  const MemoryUses& uses_;
  SwapShares swap_shares_;
};

/// What rows are sorted by: a text or a number; unknown numbers last.
using SortKey = std::pair<std::string, double>;

SortKey key_of(const UseTable& table, const MemoryUseRow& row, UseColumn column) {
  const Cell cell = table.cell(row, column);
  if (const auto* const text = std::get_if<std::string>(&cell)) return {*text, 0};
  if (const auto* const number = std::get_if<std::uint64_t>(&cell))
    return {"", static_cast<double>(*number)};
  const auto* const number = std::get_if<double>(&cell);
  return {"", number == nullptr ? -1 : *number};
}

bool is_ascending(UseColumn column) {
  return column == kPid || text_of(column).kind == Kind::kText;
}

/// Returns the column that is the order.
UseColumn sort(std::vector<MemoryUseRow>& rows, const UseTable& table, const UseView& use_view) {
  const bool knows_shares =
      std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.known.has_share; });
  const UseColumn column = use_view.sort.value_or(knows_shares ? kPss : kRss);
  std::vector<std::pair<SortKey, MemoryUseRow>> keyed;
  keyed.reserve(rows.size());
  for (MemoryUseRow& row : rows) keyed.emplace_back(key_of(table, row, column), std::move(row));
  const bool ascends = is_ascending(column) != use_view.is_reversed;
  std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
    return ascends ? a.first < b.first : b.first < a.first;
  });
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = std::move(keyed[i].second);
  return column;
}

/// On a narrow terminal, the order and the size that it is about stay longest.
void add_priorities(TableHead& head, const UseTable& table, UseColumn order,
                    const MemoryUseRow& total) {
  for (const UseColumn column :
       {kSwap,  kVirtual,    kKsm,     kHuge,      kLazyFree,  kHugetlb, kLocked,
        kDirty, kPageTables, kShmem,   kFilePages, kAnon,      kSwapPss, kThreads,
        kUser,  kRss,        kPercent, kUnread,    kProcesses, kUss,     kPid})
    head.spare.push_back(table.head(column).title);
  if (total.use.swapped() == 0 && order != kSwap) head.idle = {table.head(kSwap).title};
  head.kept = table.head(order).title;
}

/// The sum of what is known. A process maps several files, so processes of kUnit are not added up.
/// USS of a group may be unknown although it has processes that have been read, and then no sum of
/// such groups is known.
MemoryUseRow sum_of(std::span<const MemoryUseRow> rows, UseGrouping grouping) {
  MemoryUseRow sum;
  for (const MemoryUseRow& row : rows) {
    sum.add(row);
    sum.use.is_unique_known = sum.use.is_unique_known && row.has_unique();
  }
  if (grouping != UseGrouping::kProcess && !sum.use.is_unique_known) sum.known.has_unique = false;
  if (grouping == UseGrouping::kUnit) sum.processes = 0;
  return sum;
}

/// In text, a column of processes that are missing in sums is left out if there are none.
std::vector<UseColumn> columns_of(const GroupingText& text, const UseView& use,
                                  const MemoryUseRow& total) {
  std::vector<UseColumn> columns = use.columns.empty() ? text.columns : use.columns;
  if (use.columns.empty() && use.has_sums && total.unread() == 0) std::erase(columns, kUnread);
  return columns;
}

template <class Fits>
std::string words_of(Fits fits) {
  std::string words;
  for (const ColumnText& text : kColumns) {
    if (!fits(text.column)) continue;
    if (!words.empty()) words += text.column == kPercent ? " or " : ", ";
    words += text.word;
  }
  return words;
}

std::string label_of(const UseTable& table, const MemoryUseRow& row, UseGrouping grouping) {
  switch (grouping) {
    case UseGrouping::kProcess:
    case UseGrouping::kTree:
      return fmt::format("{} ({})", row.name, row.pid);
    case UseGrouping::kUser: {
      const Cell user = table.cell(row, kUser);
      const auto* const name = std::get_if<std::string>(&user);
      return name == nullptr ? "unknown" : *name;
    }
    case UseGrouping::kCgroup:
      return row.cgroup;
    default:
      return row.name;
  }
}

BarChart::Group bars_of(std::string label, const MemoryUse& use) {
  const double shared = use.share.pages() - static_cast<double>(use.unique);
  return {std::move(label),
          {{use.unique, static_cast<std::uint64_t>(std::llround(std::max(shared, 0.0))),
            use.swapped()}}};
}

}  // namespace

std::optional<UseColumn> use_column(std::string_view word) {
  const auto is_same = [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); };
  if (word == "mapping") return kFile;  // until 0.1
  for (const ColumnText& text : kColumns)
    if (std::equal(text.word.begin(), text.word.end(), word.begin(), word.end(), is_same))
      return text.column;
  return std::nullopt;
}

std::string_view word_of(UseColumn column) {
  return text_of(column).word;
}

std::string use_column_words() {
  return words_of([](UseColumn) { return true; });
}

std::string use_column_words(UseGrouping grouping) {
  return words_of([grouping](UseColumn column) { return has_column(grouping, column); });
}

bool has_column(UseGrouping grouping, UseColumn column) {
  using enum UseGrouping;
  switch (column) {
    case UseColumn::kPid:
      return grouping == kProcess || grouping == kTree;
    case UseColumn::kCommand:
      return grouping == kProcess || grouping == kName || grouping == kTree;
    case UseColumn::kUser:
      return grouping == kProcess || grouping == kUser || grouping == kTree;
    case UseColumn::kProgram:
      return grouping == kProcess || grouping == kProgram;
    case UseColumn::kCgroup:
      return grouping == kProcess || grouping == kCgroup;
    case UseColumn::kFile:
      return grouping == kUnit;
    case UseColumn::kThreads:
    case UseColumn::kPageTables:
      return grouping != kUnit;
    case UseColumn::kUnread:
      return grouping != kUnit && grouping != kProcess;
    default:
      return true;
  }
}

Table use_table(const MemoryUses& uses, const UseView& use_view, const View& view) {
  const GroupingText text = text_of(uses);
  std::vector<MemoryUseRow> rows = uses.rows();
  const MemoryUseRow total = sum_of(rows, uses.grouping());
  if (use_view.has_only_paths)
    std::erase_if(rows, [](const MemoryUseRow& row) { return row.name.starts_with('['); });
  const std::vector<UseColumn> columns = columns_of(text, use_view, total);
  const UseTable shaped(use_view, view, uses, total.use);
  Table table{{text.name, text.title, {}}, {}};
  for (const UseColumn column : columns) table.head.columns.push_back(shaped.head(column));
  const UseColumn order = sort(rows, shaped, use_view);
  add_priorities(table.head, shaped, order, total);
  const std::size_t shown = std::min(use_view.top.value_or(rows.size()), rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    for (const UseColumn column : columns) cells.push_back(shaped.shown(rows[i], column));
  }
  const std::span<const MemoryUseRow> all(rows);
  if (use_view.has_sums && shown < rows.size())
    table.rows.push_back(shaped.sum(fmt::format("({} more)", rows.size() - shown),
                                    sum_of(all.subspan(shown), uses.grouping()), columns));
  // Without rows nothing is known, also no sum.
  if (use_view.has_sums && !rows.empty())
    table.rows.push_back(shaped.sum(total.unread() == 0 ? "total" : "total known", total, columns));
  return table;
}

BarChart use_chart(const MemoryUses& uses, const UseView& use_view, const View& view) {
  constexpr std::size_t kMaxBars = 40;
  const UseTable shaped(use_view, view, uses, uses.total());
  BarChart chart;
  chart.title = text_of(uses).title;
  chart.subtitle = origin(view.header);
  chart.series = {"USS: mapped by no other", "PSS - USS: part of shared pages", "swapped"};
  chart.bar_titles = {"physical"};
  chart.page_size = view.header.page_size.bytes;
  chart.unit = use_view.unit.value_or(SizeUnit::kMib);
  std::vector<MemoryUseRow> rows = uses.rows();
  sort(rows, shaped, use_view);
  const std::size_t shown = std::min(use_view.top.value_or(kMaxBars), rows.size());
  for (std::size_t i = 0; i < shown; ++i)
    chart.groups.push_back(bars_of(label_of(shaped, rows[i], uses.grouping()), rows[i].use));
  const std::span rest = std::span(rows).subspan(shown);
  if (!rest.empty())
    chart.groups.push_back(
        bars_of(fmt::format("({} more)", rest.size()), sum_of(rest, uses.grouping()).use));
  const MemoryUse total = sum_of(rows, uses.grouping()).use;
  chart.subtitle += fmt::format(
      ": PSS {} in all",
      human_size(static_cast<std::uint64_t>(total.share.pages()), view.header.page_size));
  return chart;
}

}  // namespace physmem
