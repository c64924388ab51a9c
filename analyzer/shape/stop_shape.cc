// SPDX-License-Identifier: MIT
#include "analyzer/shape/stop_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "program/messages.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

struct KindText {
  MappedKind kind;
  const char* word;
  const char* title;
};
constexpr std::array<KindText, kMappedKinds> kKinds{{
    {MappedKind::kAnonymous, "anonymous", "anonymous memory"},
    {MappedKind::kNameless, "nameless_shared_memory", "shared memory that no path leads to"},
    {MappedKind::kDeletedFile, "deleted_files", "cached pages of deleted files"},
    {MappedKind::kHugetlb, "hugetlb", "huge pages of the pool"},
    {MappedKind::kCleanFile, "clean_file", "cached pages of files"},
    {MappedKind::kDirtyFile, "dirty_file", "cached pages of files, to be written first"},
    {MappedKind::kDmaBuf, "dma_buffers", "buffers for devices (dma-buf)"},
    {MappedKind::kTmpfs, "tmpfs", "files of a tmpfs"},
    {MappedKind::kSystemV, "system_v", "System V shared memory"},
}};

/// What happens to memory; the first ones are those of StopFate.
constexpr std::array<std::array<const char*, 2>, 8> kFates{{
    {"free", "becomes free"},
    {"pool", "goes back to the pool"},
    {"reclaimable", "becomes reclaimable"},
    {"left", "is left until it is deleted"},
    {"shared", "stays: others map it"},
    {"held", "stays: others have a descriptor of it"},
    {"elsewhere", "stays: processes outside of the snapshot map it"},
    {"swap", "swap slots become free"},
}};
constexpr std::array kOfSet{StopFate::kFree, StopFate::kPool, StopFate::kReclaimable,
                            StopFate::kLeft};

Word fate(std::string_view word) {
  for (const auto& [text, title] : kFates)
    if (text == word) return {text, title};
  return {};
}

/// What becomes free and is not mapped by the processes.
struct KernelPart {
  Word what;
  std::optional<std::uint64_t> pages;
};

std::vector<KernelPart> kernel_parts(const StopSet& set) {
  return {{{"swap_cache", "swapped pages that are still in RAM"}, set.swap_cache},
          {{"page_tables", "page tables"}, set.page_tables},
          {{"kernel_stacks", "kernel stacks"}, set.stacks},
          {{"kernel_objects", "kernel objects of tasks and areas"}, set.objects}};
}

bool is_some_held(const StopSet& set) {
  return std::ranges::any_of(set.kinds, [](const auto& frames) { return frames.held != 0; });
}

class StopRows {
 public:
  explicit StopRows(Table& table) : table_(table) {}

  void add(std::string_view word, Word what, std::optional<std::uint64_t> pages) {
    if (pages == 0U) return;
    table_.rows.push_back({fate(word), std::move(what), pages ? Cell(*pages) : Cell()});
  }

 private:
  Table& table_;
};

/// What names a set, and its sizes.
std::vector<Column> set_columns(UseGrouping grouping, bool has_choice) {
  std::vector<Column> columns;
  if (grouping == UseGrouping::kProcess || grouping == UseGrouping::kTree)
    columns.push_back({"PID", Kind::kNumber});
  const char* const name = grouping == UseGrouping::kUser      ? "User"
                           : grouping == UseGrouping::kCgroup  ? "Cgroup"
                           : grouping == UseGrouping::kProgram ? "Program"
                                                               : "Command";
  columns.push_back({name, Kind::kText});
  if (grouping != UseGrouping::kProcess) columns.push_back({"Processes", Kind::kNumber});
  columns.push_back({"Unread", Kind::kNumber});
  for (const char* const size : {"Free", "Reclaimable", "Stays"})
    columns.push_back({size, Kind::kSize});
  if (has_choice) columns.push_back({"Chosen", Kind::kNumber});
  return columns;
}

std::vector<Cell> set_names(const ProcessGroups& groups, const ProcessGroups::Key& key,
                            const StopSet& set, const UseView& use) {
  switch (groups.grouping()) {
    case UseGrouping::kProcess:
      return {key.second, set.command};
    case UseGrouping::kTree:
      return {key.second, groups.name_of(key.second)};
    case UseGrouping::kUser:
      return {key.second == 0 ? Cell() : use.user(key.second - 1)};
    default:
      return {key.first.empty() ? Cell() : Cell(key.first)};
  }
}

}  // namespace

std::vector<std::string> stop_lines(const StopSet& set, PageSize page_size) {
  const auto size = [page_size](std::uint64_t pages) { return human_size(pages, page_size); };
  const std::string processes = set.processes == 1
                                    ? "this process ends"
                                    : fmt::format("these {} processes end", set.processes);
  std::string line = fmt::format("If {}, {} become free", processes, size(set.free()));
  if (const std::uint64_t pages = set.alone(StopFate::kReclaimable); pages != 0)
    line += fmt::format(", {} more become reclaimable", size(pages));
  std::vector<std::string> lines{line + "."};
  if (const std::uint64_t pages = set.kept(); pages != 0)
    lines.push_back(fmt::format("{} stay, because other processes map {}them.", size(pages),
                                is_some_held(set) ? "or hold " : ""));
  return lines;
}

Table stop_table(const StopSet& set) {
  Table table{{"if-stopped",
               "Memory of these processes",
               {{"Then", Kind::kText}, {"What", Kind::kText}, {"Size", Kind::kSize}}},
              {}};
  StopRows rows(table);
  for (const StopFate of_set : kOfSet) {
    const char* const word = kFates[static_cast<std::size_t>(of_set)].front();
    for (const KindText& kind : kKinds)
      if (stop_fate_of(kind.kind) == of_set)
        rows.add(word, {kind.word, kind.title}, set.frames(kind.kind).alone());
    if (of_set != StopFate::kFree) continue;
    for (KernelPart& part : kernel_parts(set)) rows.add(word, std::move(part.what), part.pages);
  }
  for (const KindText& kind : kKinds) {
    rows.add("shared", {kind.word, kind.title}, set.frames(kind.kind).shared);
    rows.add("held", {kind.word, kind.title}, set.frames(kind.kind).held);
    rows.add("elsewhere", {kind.word, kind.title}, set.frames(kind.kind).elsewhere);
  }
  rows.add("swap", {"swap", "swapped memory"}, set.swap_slots);
  return table;
}

Table keepers_table(const StopSet& set) {
  Table table{{"if-stopped-kept",
               "Others that have the same memory",
               {{"Command", Kind::kText}, {"Processes", Kind::kNumber}, {"Shared", Kind::kSize}}},
              {}};
  for (const StopSet::Keeper& keeper : set.keepers)
    table.rows.push_back({keeper.name, keeper.processes, keeper.frames});
  return table;
}

std::string choice_line(const StopChoice& choice, const std::string& need, bool is_enough,
                        PageSize page_size) {
  const std::string found = human_size(choice.all.free(), page_size);
  const std::size_t sets = choice.sets.size();
  const std::string rows =
      sets == 1 ? "the first one ends" : fmt::format("the first {} end together", sets);
  if (is_enough) return fmt::format("{} become free if {}; {} is needed.", found, rows, need);
  return fmt::format("Only {} become free if all of them end; {} is needed.", found, need);
}

Table sets_table(const StopEstimate& estimate, const StopChoice* choice, const UseView& use) {
  const UseGrouping grouping = estimate.groups().grouping();
  Table table{{"if-stopped-sets", "What becomes free", set_columns(grouping, choice != nullptr)},
              {}};
  table.head.idle = {"Unread"};
  std::vector<const ProcessGroups::Numbers::value_type*> order;
  for (const auto& group : estimate.groups().numbers()) order.push_back(&group);
  std::map<std::uint32_t, std::uint64_t> chosen;
  if (choice != nullptr)
    for (const std::uint32_t set : choice->sets) chosen.emplace(set, chosen.size() + 1);
  const auto rank = [&](const auto* group) {
    const auto found = chosen.find(group->second);
    const std::uint64_t place = found == chosen.end() ? chosen.size() + 1 : found->second;
    return std::pair(place, ~estimate.sets()[group->second].free());
  };
  std::ranges::stable_sort(order, {}, rank);
  for (const auto* group : order) {
    const StopSet& set = estimate.sets()[group->second];
    std::vector<Cell> row = set_names(estimate.groups(), group->first, set, use);
    if (grouping != UseGrouping::kProcess) row.emplace_back(set.processes);
    row.emplace_back(set.unread);
    const bool is_known = set.unread < set.processes;
    for (const std::uint64_t pages : {set.free(), set.alone(StopFate::kReclaimable), set.kept()})
      row.push_back(is_known ? Cell(pages) : Cell());
    const auto found = chosen.find(group->second);
    if (choice != nullptr) row.push_back(found == chosen.end() ? Cell() : Cell(found->second));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> stop_notes(const StopEstimate& estimate) {
  StopSet all;
  bool lacks_stacks = false, lacks_objects = false, is_holdable = false;
  for (const StopSet& set : estimate.sets()) {
    all.processes += set.processes;
    all.unread += set.unread;
    all.without_tables += set.without_tables;
    lacks_stacks = lacks_stacks || (set.processes != 0 && !set.stacks);
    lacks_objects = lacks_objects || (set.processes != 0 && !set.objects);
    is_holdable = is_holdable || set.frames(MappedKind::kNameless).own != 0 ||
                  set.frames(MappedKind::kDeletedFile).own != 0;
  }
  std::vector<std::string> notes;
  if (all.unread != 0)
    notes.push_back(
        fmt::format("the pages of {} of these are not known", counted(all.unread, "process")));
  if (!estimate.knows_holders() && is_holdable)
    notes.emplace_back(
        "whether other processes hold some of it by a descriptor is not known: "
        "physmem-collect --holders records that");
  if (estimate.hidden_holders() != 0)
    notes.push_back(
        fmt::format("the descriptors of {} are not known: these may hold the memory, "
                    "too; run it as root",
                    counted(estimate.hidden_holders(), "process")));
  const bool lacks_tables = all.processes != 0 && all.without_tables == all.processes;
  std::vector<std::string_view> lacking;
  if (lacks_tables) lacking.emplace_back("page tables");
  if (lacks_stacks) lacking.emplace_back("kernel stacks");
  if (lacks_objects) lacking.emplace_back("kernel objects");
  if (!lacking.empty())
    notes.push_back(
        fmt::format("the snapshot does not say how large these are, so they are not "
                    "counted: {}",
                    fmt::join(lacking, ", ")));
  if (!lacks_tables && all.without_tables != 0)
    notes.push_back(
        fmt::format("the page tables of {} are not known", counted(all.without_tables, "process")));
  return notes;
}

}  // namespace physmem
