// SPDX-License-Identifier: MIT
#include "analyzer/shape/kernel_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/model/frame_classes.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

/// The title of its only class, or one for several.
std::string name_of(KernelKind kind) {
  if (kind == KernelKind::kZswap) return "zswap";
  if (kind == KernelKind::kImage) return "kernel image";
  if (kind == KernelKind::kUnknown) return "unknown";
  const auto facts = std::find_if(kFrameClassTable.begin(), kFrameClassTable.end(),
                                  [&](const FrameClassFacts& row) { return row.kernel == kind; });
  return std::string(facts->title);
}

struct KernelSum {
  std::uint64_t pages = 0, explained = 0, unknown = 0;
};

KernelSum sum_of(const std::vector<KernelRow>& rows) {
  KernelSum sum;
  for (const KernelRow& row : rows) {
    sum.pages += row.pages();
    sum.explained += row.explained;
    if (row.kind == KernelKind::kUnknown) sum.unknown += row.pages();
  }
  return sum;
}

/// "(44 others)".
std::string rest_name(std::size_t n) {
  return "(" + counted(n, "other") + ")";
}

/// Rows of a name and its size.
class OwnerRows {
 public:
  OwnerRows(Table& table, std::size_t max_rows) : table_(table), max_rows_(max_rows) {}

  /// `front`: cells before the name.
  void add(std::vector<Cell> front, const std::string& name, std::uint64_t pages) {
    blanks_ = front.size();
    if (++rows_ > max_rows_)
      rest_ += pages;
    else
      write(std::move(front), name, pages);
  }
  void end() {
    if (rows_ > max_rows_) write(std::vector<Cell>(blanks_), rest_name(rows_ - max_rows_), rest_);
  }

 private:
  void write(std::vector<Cell> cells, const std::string& name, std::uint64_t pages) {
    cells.insert(cells.end(), {Cell(name), Cell(pages)});
    table_.rows.push_back(std::move(cells));
  }

  Table& table_;
  std::size_t max_rows_;
  std::size_t rows_ = 0, blanks_ = 0;
  std::uint64_t rest_ = 0;
};

/// Columns before the name, the name and the size.
Table owner_table(const char* name, const char* title, std::vector<Column> columns) {
  columns.push_back({"Size", Kind::kSize});
  return {{name, title, std::move(columns)}, {}};
}

/// Frames of the use without an owner, in a table that has owners.
std::uint64_t without_owner(const KernelUse& kernel, KernelKind kind) {
  for (const KernelRow& row : kernel.rows())
    if (row.kind == kind && row.owned != 0) return row.framed - row.owned;
  return 0;
}

constexpr const char* kNoOwner = "[unknown]";

Table stacks(const KernelUse& kernel, std::size_t max_rows) {
  Table table = owner_table("kernel-stacks", "Stacks by task",
                            {{"PID", Kind::kNumber, "pid"}, {"Command", Kind::kText}});
  OwnerRows rows(table, max_rows);
  for (const auto& [owner, pages] : kernel.owners(KernelKind::kStacks)) {
    const bool is_task = owner.kind == RamOwner::Kind::kTask;
    rows.add({is_task ? Cell(owner.number) : Cell()}, owner.name, pages);
  }
  if (const std::uint64_t pages = without_owner(kernel, KernelKind::kStacks); pages != 0)
    rows.add({Cell()}, kNoOwner, pages);
  rows.end();
  return table;
}

Table page_tables(const KernelUse& kernel, PageSize size, std::size_t max_rows) {
  Table table{{"kernel-page-tables",
               "Page tables by process",
               {{"PID", Kind::kNumber, "pid"}, {"Command", Kind::kText}, {"Size", Kind::kSize}}},
              {}};
  const std::vector<PageTableUse> processes = kernel.page_tables();
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const auto& [pid, comm, kib] = processes[i];
    if (i < max_rows)
      table.rows.push_back({pid, comm, size.pages(kib << 10)});
    else
      rest += kib;
  }
  if (processes.size() > max_rows)
    table.rows.push_back({Cell(), rest_name(processes.size() - max_rows), size.pages(rest << 10)});
  return table;
}

Table functions(const KernelUse& kernel, std::size_t max_rows) {
  Table table = owner_table("kernel-vmalloc", "vmalloc by function", {{"Function", Kind::kText}});
  OwnerRows rows(table, max_rows);
  for (const auto& [owner, pages] : kernel.vmalloc()) rows.add({}, owner.name, pages);
  if (const std::uint64_t pages = without_owner(kernel, KernelKind::kVmalloc); pages != 0)
    rows.add({}, kNoOwner, pages);
  else if (kernel.owners(KernelKind::kVmalloc).empty() && !table.rows.empty())
    table.notes.emplace_back("By /proc/vmallocinfo: frames have no function here.");
  rows.end();
  return table;
}

Table modules(const KernelUse& kernel, std::size_t max_rows) {
  Table table = owner_table("kernel-modules", "Modules", {{"Module", Kind::kText}});
  OwnerRows rows(table, max_rows);
  for (const auto& [owner, pages] : kernel.owners(KernelKind::kModules))
    rows.add({}, owner.name, pages);
  if (const std::uint64_t pages = without_owner(kernel, KernelKind::kModules); pages != 0)
    rows.add({}, kNoOwner, pages);
  rows.end();
  return table;
}

/// Functions and variables, the largest first.
Table others(const KernelUse& kernel, std::size_t max_rows) {
  Table table = owner_table("kernel-others", "Other memory by owner",
                            {{"Use", Kind::kText}, {"Owner", Kind::kText}});
  std::vector<std::pair<KernelKind, KernelOwner>> all;
  for (const KernelKind kind :
       {KernelKind::kPerCpu, KernelKind::kLargeKmalloc, KernelKind::kOther}) {
    for (KernelOwner& owner : kernel.owners(kind)) all.emplace_back(kind, std::move(owner));
    if (const std::uint64_t pages = without_owner(kernel, kind); pages != 0) {
      all.push_back({kind, {{}, pages}});
      all.back().second.owner.name = kNoOwner;
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second.pages > b.second.pages; });
  OwnerRows rows(table, max_rows);
  for (const auto& [kind, owner] : all) rows.add({name_of(kind)}, owner.owner.name, owner.pages);
  rows.end();
  return table;
}

Table residue(const KernelUse& kernel) {
  Table table = owner_table("kernel-residue", "Unmarked and unknown frames by length of their runs",
                            {{"From", Kind::kSize}, {"Runs"}});
  for (const ResidueRuns& runs : kernel.residue_runs())
    table.rows.push_back({runs.pages, runs.runs, runs.frames});
  return table;
}

}  // namespace

std::string kernel_line(const KernelUse& kernel, const View& view) {
  const Ledger& ledger = kernel.ledger();
  if (!ledger.is_known()) return "unknown, " + std::string(kNoFrames);
  const KernelSum sum = sum_of(kernel.rows());
  const PageSize size = view.header.page_size;
  return fmt::format("{}, {:.2f} % of RAM; {} of it by totals of the kernel, {} unknown",
                     human_size(sum.pages, size), percent(sum.pages, ledger.frames()),
                     human_size(sum.explained, size), human_size(sum.unknown, size));
}

Table kernel_table(const KernelUse& kernel) {
  Table table{{"kernel",
               "RAM of the kernel by use",
               {{"Use", Kind::kText},
                {"Size", Kind::kSize},
                {"%", Kind::kNumber, "percent"},
                {"By totals", Kind::kSize},
                {"Owners"}}},
              {}};
  const std::vector<KernelRow> rows = kernel.rows();
  const std::uint64_t all = kernel.ledger().frames();
  for (const KernelRow& row : rows)
    table.rows.push_back({name_of(row.kind), row.pages(), percent(row.pages(), all), row.explained,
                          row.owners != 0 ? Cell(std::uint64_t{row.owners}) : Cell()});
  if (!kernel.ledger().is_known()) return table;  // a total of 0 would be wrong
  const KernelSum sum = sum_of(rows);
  table.rows.push_back(
      {std::string("total"), sum.pages, percent(sum.pages, all), sum.explained, Cell()});
  return table;
}

std::vector<Table> kernel_owner_tables(const KernelUse& kernel, const View& view,
                                       std::size_t max_rows) {
  const PageSize size = view.header.page_size;
  return {stacks(kernel, max_rows),    page_tables(kernel, size, max_rows),
          functions(kernel, max_rows), modules(kernel, max_rows),
          others(kernel, max_rows),    residue(kernel)};
}

BarChart kernel_chart(const KernelUse& kernel, const View& view) {
  BarChart chart;
  chart.title = "RAM of the kernel by use";
  chart.subtitle = fmt::format("{}: {} in all", origin(view.header),
                               human_size(sum_of(kernel.rows()).pages, view.header.page_size));
  chart.series = {"frames of known owners", "other frames", "by totals of the kernel"};
  chart.bar_titles = {"pages"};
  chart.page_size = view.header.page_size.bytes;
  for (const KernelRow& row : kernel.rows()) {
    BarChart::Group& group = chart.groups.emplace_back();
    group.label = name_of(row.kind);
    group.bars.push_back({row.owned, row.framed - row.owned, row.explained});
  }
  return chart;
}

}  // namespace physmem
