// SPDX-License-Identifier: MIT
#include "analyzer/shape/cgroup_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "analyzer/shape/cgroup_title.h"
#include "analyzer/shape/first_rows.h"
#include "program/printable.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

/// Where a column of numbers is: in CSV, JSON, and text with --full, or in all forms.
enum class GroupForms { kData, kAll };

/// What must be known of each frame.
enum class GroupNeeds { kNothing, kPayers, kUsers, kBoth };

struct GroupColumn {
  Column column;
  Cell (*cell)(const CgroupUse& use, PageSize page_size);
  GroupNeeds needs = GroupNeeds::kNothing;
  GroupForms forms = GroupForms::kData;
};

template <std::uint64_t CgroupUse::*kPages>
Cell group_pages(const CgroupUse& use, PageSize) {
  return use.*kPages;
}

template <std::uint64_t (CgroupUse::*kSum)() const>
Cell group_sum(const CgroupUse& use, PageSize) {
  return (use.*kSum)();
}

template <PaidKind kKind>
Cell group_paid(const CgroupUse& use, PageSize) {
  return use.of(kKind);
}

/// Pages, a fraction only if it is one.
template <std::optional<std::uint64_t> CgroupCounters::*kKib>
Cell group_size(const CgroupUse& use, PageSize page_size) {
  const auto kib = use.counters.*kKib;
  const std::uint64_t of_page = page_size.kib(1);
  if (!kib) return {};
  if (*kib % of_page == 0) return *kib / of_page;
  return static_cast<double>(*kib) / static_cast<double>(of_page);
}

template <std::optional<std::uint64_t> CgroupCounters::*kNumber>
Cell group_count(const CgroupUse& use, PageSize) {
  return use.counters.*kNumber ? Cell(*(use.counters.*kNumber)) : Cell();
}

const std::vector<GroupColumn> kGroupColumns{
    {{"Processes", Kind::kNumber}, group_pages<&CgroupUse::processes>},
    {{"Pays", Kind::kSize}, group_sum<&CgroupUse::pays>, GroupNeeds::kPayers, GroupForms::kAll},
    {{"Anon", Kind::kSize},
     group_paid<PaidKind::kAnonymous>,
     GroupNeeds::kPayers,
     GroupForms::kAll},
    {{"File", Kind::kSize}, group_sum<&CgroupUse::file>, GroupNeeds::kPayers, GroupForms::kAll},
    {{"Dirty", Kind::kSize}, group_paid<PaidKind::kDirtyFile>, GroupNeeds::kPayers},
    {{"Shmem", Kind::kSize}, group_paid<PaidKind::kShmem>, GroupNeeds::kPayers, GroupForms::kAll},
    {{"Hugetlb", Kind::kSize}, group_paid<PaidKind::kHugetlb>, GroupNeeds::kPayers},
    {{"Kernel", Kind::kSize}, group_sum<&CgroupUse::kernel>, GroupNeeds::kPayers, GroupForms::kAll},
    {{"Page tables", Kind::kSize}, group_paid<PaidKind::kPageTables>, GroupNeeds::kPayers},
    {{"Stacks", Kind::kSize}, group_paid<PaidKind::kStacks>, GroupNeeds::kPayers},
    {{"Reclaimable", Kind::kSize}, group_pages<&CgroupUse::reclaimable>, GroupNeeds::kPayers},
    {{"Itself", Kind::kSize, "used_by_itself"},
     group_pages<&CgroupUse::used_by_itself>,
     GroupNeeds::kBoth,
     GroupForms::kAll},
    {{"Only others", Kind::kSize, "used_by_others_only"},
     group_pages<&CgroupUse::used_by_others>,
     GroupNeeds::kBoth,
     GroupForms::kAll},
    {{"Unmapped", Kind::kSize},
     group_pages<&CgroupUse::unmapped>,
     GroupNeeds::kBoth,
     GroupForms::kAll},
    {{"Uses", Kind::kSize}, group_pages<&CgroupUse::uses>, GroupNeeds::kUsers, GroupForms::kAll},
    {{"Others pay", Kind::kSize, "paid_by_others"},
     group_pages<&CgroupUse::paid_by_others>,
     GroupNeeds::kBoth,
     GroupForms::kAll},
    {{"Uncharged", Kind::kSize}, group_pages<&CgroupUse::uncharged>, GroupNeeds::kBoth},
    {{"Current", Kind::kSize}, group_size<&CgroupCounters::current_kib>},
    {{"Limit", Kind::kSize},
     group_size<&CgroupCounters::limit_kib>,
     GroupNeeds::kNothing,
     GroupForms::kAll},
    {{"High", Kind::kSize}, group_size<&CgroupCounters::high_kib>},
    {{"Swap", Kind::kSize}, group_size<&CgroupCounters::swap_kib>},
    {{"Slab", Kind::kSize}, group_size<&CgroupCounters::slab_kib>},
    {{"Slab reclaimable", Kind::kSize}, group_size<&CgroupCounters::reclaimable_slab_kib>},
    {{"Sockets", Kind::kSize}, group_size<&CgroupCounters::sockets_kib>},
    {{"Per-CPU", Kind::kSize, "percpu"}, group_size<&CgroupCounters::percpu_kib>},
    {{"Stalled us", Kind::kNumber}, group_count<&CgroupCounters::stalled_us>},
    {{"High events", Kind::kNumber}, group_count<&CgroupCounters::high_events>},
    {{"Limit events", Kind::kNumber}, group_count<&CgroupCounters::limit_events>},
    {{"OOM kills", Kind::kNumber, "oom_kills"}, group_count<&CgroupCounters::oom_kills>},
};

/// Nothing if the snapshot lacks what it needs.
Cell group_cell(const GroupColumn& column, const CgroupUse& use, const CgroupUses& uses) {
  const bool needs_payers =
      column.needs == GroupNeeds::kPayers || column.needs == GroupNeeds::kBoth;
  const bool needs_users = column.needs == GroupNeeds::kUsers || column.needs == GroupNeeds::kBoth;
  if ((needs_payers && !uses.is_known()) || (needs_users && !uses.knows_users())) return {};
  return column.cell(use, uses.header().page_size);
}

bool is_idle(const CgroupUse& use) {
  return use.pays() == 0 && use.processes == 0 && use.uses == 0;
}

Word group_state(const CgroupUse& use) {
  return use.is_deleted ? Word{"deleted", "deleted"} : Word{"online", ""};
}

std::string group_name(const CgroupUse& use) {
  return use.path + (use.is_deleted ? " (deleted)" : "");
}

std::string file_title(const CgroupFile& row) {
  if (row.file != nullptr) return row.file->name;
  if (row.kind == PaidKind::kAnonymous) return "[anon]";
  return row.kind == PaidKind::kShmem ? "[shared memory]" : "[files without a known name]";
}

std::string payer_text(const CgroupSelection& selection) {
  const std::vector<const CgroupUse*>& rows = selection.tops();
  if (rows.size() != 1) return fmt::format("These {} cgroups pay", rows.size());
  return rows.front()->path == "/" ? "Cgroups pay" : selection.title(*rows.front()) + " pays";
}

CgroupUse whole_of(const CgroupSelection& selection) {
  CgroupUse sum;
  for (const CgroupUse* use : selection.tops()) {
    for (std::size_t kind = 0; kind < kPaidKinds; ++kind) sum.paid[kind] += use->paid[kind];
    sum.used_by_itself += use->used_by_itself;
    sum.used_by_others += use->used_by_others;
    sum.unmapped += use->unmapped;
    sum.paid_by_others += use->paid_by_others;
  }
  return sum;
}

Treemap::Node group_node(const CgroupSelection& selection, std::size_t& at) {
  const std::vector<const CgroupUse*>& rows = selection.rows();
  const CgroupUse& use = *rows[at++];
  Treemap::Node node{selection.title(use), use.pays(), {}, group_name(use)};
  while (at < rows.size() && rows[at]->depth > use.depth && !selection.is_top(*rows[at])) {
    Treemap::Node below = group_node(selection, at);
    if (below.pages != 0) node.children.push_back(std::move(below));
  }
  return node;
}

/// What deleted groups pay for, each with those below it.
std::uint64_t deleted_pages(const CgroupSelection& selection) {
  std::uint64_t pages = 0;
  const CgroupUse* last = nullptr;
  for (const CgroupUse* use : selection.rows()) {
    if (last != nullptr && use->depth <= last->depth) last = nullptr;
    if (last != nullptr || !use->is_deleted) continue;
    last = use;
    pages += use->pays();
  }
  return pages;
}

}  // namespace

CgroupSelection::CgroupSelection(const CgroupUses& uses, std::vector<NamePattern> patterns,
                                 CgroupNames names)
    : names_(std::move(names)) {
  const CgroupUse* chosen = nullptr;
  for (const CgroupUse& use : uses.groups()) {
    const auto fits = [&](const NamePattern& pattern) {
      return pattern.matches(use.path) || pattern.matches(cgroup_title(use.path, names_));
    };
    if (chosen != nullptr && use.depth <= chosen->depth) chosen = nullptr;
    if (chosen == nullptr && (patterns.empty() || std::ranges::any_of(patterns, fits))) {
      chosen = &use;
      tops_.push_back(&use);
    }
    if (chosen != nullptr) rows_.push_back(&use);
  }
}

std::string CgroupSelection::title(const CgroupUse& use) const {
  return cgroup_title(use.path, names_) + (use.is_deleted ? " (deleted)" : "");
}

bool CgroupSelection::is_top(const CgroupUse& use) const {
  return std::binary_search(tops_.begin(), tops_.end(), &use, std::less<const CgroupUse*>());
}

bool CgroupSelection::has(const CgroupUse& use) const {
  return std::binary_search(rows_.begin(), rows_.end(), &use, std::less<const CgroupUse*>());
}

std::vector<std::string> cgroup_lines(const CgroupUses& uses, const CgroupSelection& selection) {
  const auto size = [&uses](std::uint64_t pages) {
    return human_size(pages, uses.header().page_size);
  };
  const CgroupUse sum = whole_of(selection);
  std::string line = fmt::format("{} for {}", payer_text(selection), size(sum.pays()));
  const bool is_one = selection.tops().size() == 1;
  if (uses.knows_users() && is_one) {
    line += fmt::format(": own processes map {}, ", size(sum.used_by_itself));
    if (sum.used_by_others != 0)
      line += fmt::format("only processes of other cgroups {}, ", size(sum.used_by_others));
    line += fmt::format("no process {}, and {} are the kernel's own", size(sum.unmapped),
                        size(sum.kernel()));
  }
  std::vector<std::string> lines{line + "."};
  if (const std::uint64_t deleted = deleted_pages(selection); deleted != 0)
    lines.push_back(fmt::format("Deleted cgroups pay for {} of this.", size(deleted)));
  if (is_one && sum.paid_by_others != 0)
    lines.push_back(
        fmt::format("Own processes map {} that other cgroups pay for.", size(sum.paid_by_others)));
  return lines;
}

Table cgroups_table(const CgroupUses& uses, const CgroupSelection& selection, bool is_full,
                    bool is_text) {
  Table table{{"cgroup-tree", "Cgroups, each with those below it", {}}, {}};
  TableHead& head = table.head;
  const auto is_shown = [&](const GroupColumn& column) {
    return !is_text || is_full || column.forms == GroupForms::kAll;
  };
  for (const GroupColumn& column : kGroupColumns)
    if (is_shown(column)) head.columns.push_back(column.column);
  if (!is_text) head.columns.push_back({"State", Kind::kText});
  if (!is_text) head.columns.push_back({"Name", Kind::kText});
  head.columns.push_back({"Cgroup", Kind::kText});
  head.spare = {"Kernel", "Shmem", "Anon", "File", "Limit", "Others pay"};
  head.idle = {"Shmem", "Kernel", "Only others", "Others pay"};
  std::size_t top = 0;
  for (const CgroupUse* use : selection.rows()) {
    if (selection.is_top(*use)) top = use->depth;
    if (is_text && !is_full && is_idle(*use)) continue;
    std::vector<Cell>& row = table.rows.emplace_back();
    for (const GroupColumn& column : kGroupColumns)
      if (is_shown(column)) row.push_back(group_cell(column, *use, uses));
    if (!is_text) row.insert(row.end(), {Cell(group_state(*use)), Cell(selection.title(*use))});
    const std::size_t indent = 2 * (use->depth - top);
    row.emplace_back(is_text ? std::string(indent, ' ') + selection.title(*use) : use->path);
  }
  if (is_text) leave_out_unknown(table);
  return table;
}

Table cgroup_files_table(const std::vector<CgroupFile>& files, const CgroupSelection& selection,
                         bool is_text) {
  Table table{{"cgroup-files",
               "What one cgroup pays for and others use",
               {{"Size", Kind::kSize},
                {"By others", Kind::kSize, "used_by_others"},
                {"Unmapped", Kind::kSize},
                {"Users", Kind::kNumber},
                {"Charged to", Kind::kText, "payer", true},
                {"Largest user", Kind::kText, "user", true},
                {"File", Kind::kText}}},
              {}};
  table.head.spare = {"Unmapped"};
  for (const CgroupFile& row : files) {
    if (is_text && row.by_others == 0) break;
    const auto is_selected = [&](const auto& user) { return selection.has(*user.first); };
    if (!selection.has(*row.payer) && std::ranges::none_of(row.users, is_selected)) continue;
    const auto other =
        std::ranges::find_if(row.users, [&](const auto& user) { return user.first != row.payer; });
    const auto name = [&](const CgroupUse& use) {
      return is_text ? selection.title(use) : group_name(use);
    };
    table.rows.push_back({row.pages, row.by_others, row.unused,
                          static_cast<std::uint64_t>(row.users.size()), name(*row.payer),
                          other == row.users.end() ? Cell() : Cell(name(*other->first)),
                          file_title(row)});
  }
  return table;
}

Table cgroup_matrix_table(const std::vector<CgroupFile>& files, const CgroupSelection& selection) {
  Table table{{"cgroup-matrix",
               "Payer, user and file",
               {{"Size", Kind::kSize},
                {"Charged to", Kind::kText, "payer"},
                {"Used by", Kind::kText, "user"},
                {"File", Kind::kText}}},
              {}};
  for (const CgroupFile& row : files) {
    const bool is_payer = selection.has(*row.payer);
    for (const auto& [user, pages] : row.users)
      if (is_payer || selection.has(*user))
        table.rows.push_back({pages, group_name(*row.payer), group_name(*user), file_title(row)});
    if (is_payer && row.unused != 0)
      table.rows.push_back({row.unused, group_name(*row.payer), Cell(), file_title(row)});
  }
  return table;
}

Treemap cgroup_treemap(const CgroupUses& uses, const CgroupSelection& selection) {
  const PageSize page_size = uses.header().page_size;
  Treemap map;
  map.title = "What cgroups pay for";
  map.subtitle = fmt::format("{}: {}", origin(uses.header()),
                             human_size(whole_of(selection).pays(), page_size));
  map.page_size = page_size.bytes;
  for (std::size_t at = 0; at < selection.rows().size();)
    map.nodes.push_back(group_node(selection, at));
  std::ranges::stable_sort(map.nodes, std::greater<>(), &Treemap::Node::pages);
  // Each node has a colour, so the root is not one of them.
  if (map.nodes.size() != 1 || map.nodes.front().children.empty()) return map;
  Treemap::Node root = std::move(map.nodes.front());
  map.nodes = std::move(root.children);
  std::uint64_t rest = root.pages;
  for (const Treemap::Node& node : map.nodes) rest -= node.pages;
  if (rest != 0) map.nodes.push_back({root.label + " itself", rest, {}, root.tooltip + " itself"});
  std::ranges::stable_sort(map.nodes, std::greater<>(), &Treemap::Node::pages);
  return map;
}

std::vector<std::string> cgroup_notes(const CgroupUses& uses) {
  std::vector<std::string> notes;
  if (uses.header().ram != Header::Ram::kAll)
    notes.emplace_back(kNoFrames);
  else if (!uses.is_known())
    notes.emplace_back("the snapshot does not say which cgroup pays for a frame");
  if (!uses.knows_users())
    notes.emplace_back("the snapshot does not show which processes map a frame");
  if (uses.unread() != 0)
    notes.push_back(fmt::format("the pages of {} are not known; run it as root",
                                counted(uses.unread(), "process")));
  if (uses.header().ram_by == "proc")
    notes.emplace_back(
        "--ram=proc shows no deleted cgroups: their pages count for the group above. Before Linux "
        "6.12 it does not show who pays for a huge page, but for its first page");
  return notes;
}

}  // namespace physmem
