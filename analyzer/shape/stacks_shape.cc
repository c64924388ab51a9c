// SPDX-License-Identifier: MIT
#include "analyzer/shape/stacks_shape.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

#include "program/printable.h"

namespace physmem {
namespace {

/// In the form of for_export(), with the separator as \073 too.
std::string frame(std::string_view name, std::string_view if_empty) {
  std::string text;
  for (const char c : for_export(name.empty() ? if_empty : name))
    text += c == ';' ? std::string("\\073") : std::string(1, c);
  return text;
}

std::string unit_of(const MemoryStacks& stacks, const MemoryStack& stack, const Header& header) {
  const std::string unit = stacks.unit_of(stack);
  return unit.empty() ? "[anon]" : unit_name(unit, header);
}

/// Divides a sum of shares into whole pages.
class WholePages {
 public:
  std::uint64_t next(PageShare share) {
    sum_ += share;
    const std::uint64_t before = std::exchange(rounded_, sum_.whole_pages());
    return rounded_ - before;
  }

 private:
  PageShare sum_;
  std::uint64_t rounded_ = 0;
};

}  // namespace

std::vector<std::string> folded_lines(const MemoryStacks& stacks, StackWeight weight,
                                      bool with_time, const View& view) {
  std::string host = frame(view.header.host, "[unknown host]");
  if (with_time && view.header.time_ns) host += " " + utc_text(*view.header.time_ns);
  std::vector<std::string> lines;
  WholePages whole;
  for (const MemoryStack& stack : stacks.stacks()) {
    const PageTally& tally = stack.pages;
    const std::uint64_t pages = weight == StackWeight::kPss ? whole.next(tally.share) : tally.pages;
    if (pages == 0) continue;
    const StackProcess& process = stacks.processes()[stack.process];
    lines.push_back(fmt::format("{};{};{} ({});{};{} {}", host,
                                frame(process.cgroup, "[no cgroup]"),
                                frame(process.name, "[no name]"), process.pid, name(stack.region),
                                frame(unit_of(stacks, stack, view.header), ""), pages));
  }
  return lines;
}

Table folded_table(const MemoryStacks& stacks, const View& view) {
  Table table{{"folded",
               "",
               {{"Host", Column::Kind::kText},
                {"Cgroup", Column::Kind::kText},
                {"Command", Column::Kind::kText},
                {"PID"},
                {"Region", Column::Kind::kText},
                {"File", Column::Kind::kText},
                {"PSS"},
                {"RSS"},
                {"USS"}}},
              {}};
  for (const MemoryStack& stack : stacks.stacks()) {
    const StackProcess& process = stacks.processes()[stack.process];
    const Cell share = stacks.is_share_known() ? Cell(stack.pages.share.pages()) : Cell();
    table.rows.push_back({view.header.host, process.cgroup, process.name, process.pid,
                          std::string(name(stack.region)), unit_of(stacks, stack, view.header),
                          share, stack.pages.pages, stack.pages.single});
  }
  return table;
}

}  // namespace physmem
