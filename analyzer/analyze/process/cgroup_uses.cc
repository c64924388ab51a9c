// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/cgroup_uses.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>

#include "analyzer/analyze/mapping_sweep.h"
#include "analyzer/analyze/numbered_counter.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

constexpr const char* kRoot = "/";
/// Groups above one that is deeper get no rows for its sake; what is above is looked for so far.
constexpr std::ptrdiff_t kMaxDepth = 64;

struct CounterName {
  std::string_view name;
  std::optional<std::uint64_t> CgroupCounters::*member;
};
constexpr std::array<CounterName, 12> kCounterNames{{
    {"current_kB", &CgroupCounters::current_kib},
    {"limit_kB", &CgroupCounters::limit_kib},
    {"high_kB", &CgroupCounters::high_kib},
    {"swap_kB", &CgroupCounters::swap_kib},
    {"slab_kB", &CgroupCounters::slab_kib},
    {"slab_reclaimable_kB", &CgroupCounters::reclaimable_slab_kib},
    {"sockets_kB", &CgroupCounters::sockets_kib},
    {"percpu_kB", &CgroupCounters::percpu_kib},
    {"some_us", &CgroupCounters::stalled_us},
    {"high_events", &CgroupCounters::high_events},
    {"limit_events", &CgroupCounters::limit_events},
    {"oom_kills", &CgroupCounters::oom_kills},
}};

/// Whether processes can map frames of the class.
bool is_mappable(FrameClass use) {
  return use == PM_RAM_ANON || use == PM_RAM_FILE || use == PM_RAM_BLOCK || use == PM_RAM_SHMEM ||
         use == PM_RAM_HUGETLB;
}

bool has_file(FrameClass use) {
  return use == PM_RAM_FILE || use == PM_RAM_BLOCK || use == PM_RAM_SHMEM;
}

PaidKind kind_of(const RamRun& run) {
  switch (run.use) {
    case PM_RAM_ANON:
      return PaidKind::kAnonymous;
    case PM_RAM_SHMEM:
      return PaidKind::kShmem;
    case PM_RAM_HUGETLB:
      return PaidKind::kHugetlb;
    case PM_RAM_PGTABLE:
      return PaidKind::kPageTables;
    case PM_RAM_KERNEL_STACK:
      return PaidKind::kStacks;
    case PM_RAM_FILE:
    case PM_RAM_BLOCK:
      return (run.flags & (PM_PAGE_DIRTY | PM_PAGE_WRITEBACK)) != 0 ? PaidKind::kDirtyFile
                                                                    : PaidKind::kCleanFile;
    default:
      return PaidKind::kOther;
  }
}

bool is_of_processes(PaidKind kind) {
  return kind <= PaidKind::kHugetlb;
}

/// The path of the group above; of the root, empty.
std::string above(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (path == kRoot || slash == std::string::npos) return {};
  return slash == 0 ? kRoot : path.substr(0, slash);
}

}  // namespace

std::uint64_t CgroupUse::pays() const {
  return std::accumulate(paid.begin(), paid.end(), std::uint64_t{0});
}

std::size_t CgroupUses::Hash::operator()(const Key& key) const {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio
  std::uint64_t hash = (std::uint64_t{key.payer} << 32 | key.pattern) * kFactor;
  hash = (hash ^ hash >> 32 ^ key.owner) * kFactor;
  return (hash ^ hash >> 32 ^ static_cast<std::uint64_t>(key.kind) << 1 ^ key.is_locked) * kFactor;
}

void CgroupUses::on_header(const Header& header) {
  *this = {};
  header_ = header;
  node_of(kRoot, false);
}

void CgroupUses::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) {
    const auto of_group = cgroup_counter(counter.name);
    if (!of_group) continue;
    if (of_group->name == "parent") parents_[of_group->number] = counter.value;
    for (const CounterName& known : kCounterNames)
      if (known.name == of_group->name) counters_[of_group->number].*known.member = counter.value;
  }
}

/// Its ancestors get nodes, too, unless it is deleted: then they may be, and have other names.
CgroupUses::Node CgroupUses::node_of(const std::string& path, bool is_deleted) {
  const auto [found, is_new] = nodes_.try_emplace({path, is_deleted}, kNone);
  if (!is_new) return found->second;
  tree_.emplace_back();
  const auto node = static_cast<Node>(tree_.size());
  found->second = node;
  at(node).use.path = path;
  at(node).use.is_deleted = is_deleted;
  const std::string parent = above(path);
  if (!is_deleted && !parent.empty() && std::ranges::count(path, '/') <= kMaxDepth)
    node_of(parent, false);
  return node;
}

void CgroupUses::on_pages(const Process&, const Area&, std::span<const PageRun> runs) {
  const auto process = static_cast<std::uint32_t>(group_of_.size());
  for (const PageRun& run : runs)
    if (has_counted_mappings(run)) sharing_.add(header_, run, process);
}

void CgroupUses::on_process(const Process& process) {
  const auto& group = process.task.group;
  const bool is_known = group && group->cgroup.starts_with('/');
  const Node node = is_known ? node_of(group->cgroup, false) : kNone;
  group_of_.push_back(node);
  if (process.is_kernel_thread()) return;
  if (process.is_unread()) ++unread_;
  if (node != kNone) ++at(node).use.processes;
}

void CgroupUses::on_owner(const RamOwner& owner) {
  owners_.push_back(directory_.add(owner));
  const bool is_group = owner.kind == RamOwner::Kind::kCgroup;
  payers_.push_back(is_group ? node_of(owner.name, owner.is_dying) : kNone);
  if (is_group && !owner.is_dying) at(payers_.back()).number = owner.number;
}

void CgroupUses::on_ram(const RamRun& run) {
  if (!is_mappable(run.use)) return add(run, run.pages, 0);
  for (std::uint64_t i = 0; i < run.pages;) {
    const std::uint64_t begin = i;
    const std::uint32_t pattern = sharing_.pattern_at(run.first_pfn + i);
    while (i < run.pages && sharing_.pattern_at(run.first_pfn + i) == pattern) ++i;
    add(run, i - begin, pattern);
  }
}

void CgroupUses::add(const RamRun& run, std::uint64_t pages, std::uint32_t pattern) {
  const auto group = directory_.find(run.cgroup);
  Key key{.payer = group ? payers_[*group] : kNone, .pattern = pattern, .kind = kind_of(run)};
  if (key.payer == kNone && pattern == 0) return;
  has_payers_ = has_payers_ || key.payer != kNone;
  const auto owner = has_file(run.use) ? directory_.find(run.owner) : std::nullopt;
  if (owner) key.owner = static_cast<std::uint32_t>(*owner + 1);
  key.is_locked = (run.flags & PM_PAGE_UNEVICTABLE) != 0;
  uses_[key] += pages;
}

void CgroupUses::on_end() {
  link_tree();
  set_numbers();
  for (const auto& [key, pages] : uses_) {
    if (key.payer == kNone) continue;
    CgroupUse& use = at(key.payer).use;
    use.paid[static_cast<std::size_t>(key.kind)] += pages;
    if (key.kind == PaidKind::kCleanFile && !key.is_locked) use.reclaimable += pages;
  }
  const Node root = nodes_.at({kRoot, false});
  sum_up(root);
  order(root, 0);
  add_mapped();
  add_uses();
}

/// The nearest one above it that has a node: one that exists, or that is deleted as well.
CgroupUses::Node CgroupUses::parent_of(const std::string& path) const {
  std::string parent = above(path);
  for (std::ptrdiff_t depth = 0; depth < kMaxDepth && !parent.empty(); ++depth) {
    for (const bool is_deleted : {false, true})
      if (const auto found = nodes_.find({parent, is_deleted}); found != nodes_.end())
        return found->second;
    parent = above(parent);
  }
  return nodes_.at({kRoot, false});
}

void CgroupUses::link_tree() {
  const Node root = nodes_.at({kRoot, false});
  for (Node node = 1; node <= tree_.size(); ++node) {
    if (node == root) continue;
    at(node).parent = parent_of(at(node).use.path);
    at(at(node).parent).below.push_back(node);
  }
}

/// Groups that pay for nothing have no owner record; the groups below them name them.
void CgroupUses::set_numbers() {
  for (Node node = 1; node <= tree_.size(); ++node) {
    for (Node group = node; at(group).number != 0 && at(group).parent != kNone;) {
      const auto found = parents_.find(at(group).number);
      const Node parent = at(group).parent;
      const bool is_next = at(parent).use.path == above(at(group).use.path);
      if (found == parents_.end() || !is_next || at(parent).number != 0) break;
      at(parent).number = found->second;
      group = parent;
    }
  }
  for (Group& group : tree_)
    if (const auto found = counters_.find(group.number); found != counters_.end())
      group.use.counters = found->second;
}

void CgroupUses::sum_up(Node node) {
  for (const Node below : at(node).below) {
    sum_up(below);
    CgroupUse& use = at(node).use;
    const CgroupUse& more = at(below).use;
    use.processes += more.processes;
    use.reclaimable += more.reclaimable;
    for (std::size_t kind = 0; kind < kPaidKinds; ++kind) use.paid[kind] += more.paid[kind];
  }
}

void CgroupUses::order(Node node, std::size_t depth) {
  Group& group = at(node);
  std::ranges::sort(group.below, [this](Node a, Node b) {
    const CgroupUse &left = at(a).use, &right = at(b).use;
    return std::tuple(right.pays(), left.path, left.is_deleted) <
           std::tuple(left.pays(), right.path, right.is_deleted);
  });
  group.row = groups_.size();
  group.use.depth = depth;
  groups_.push_back(group.use);
  for (const Node below : group.below) order(below, depth + 1);
  group.end = groups_.size();
}

/// Each once; kNone if the group of a process is not known.
std::vector<CgroupUses::Node> CgroupUses::users_of(std::uint32_t pattern) const {
  std::vector<std::uint32_t> processes;
  if (pattern != 0) sharing_.get_processes(pattern, processes);
  std::vector<Node> users;
  for (const std::uint32_t process : processes) users.push_back(group_of_[process]);
  std::ranges::sort(users);
  users.erase(std::unique(users.begin(), users.end()), users.end());
  return users;
}

void CgroupUses::add_mapped() {
  sharing_.for_each([this](const FrameSharing::Pattern& pattern) {
    std::vector<Node> seen;
    for (const std::uint32_t process : pattern.processes)
      for (Node node = group_of_[process]; node != kNone; node = at(node).parent) {
        if (std::ranges::find(seen, node) != seen.end()) break;
        seen.push_back(node);
        groups_[at(node).row].uses += pattern.frames;
      }
  });
}

void CgroupUses::add_uses() {
  std::map<std::pair<std::uint32_t, Node>, std::uint64_t> pages_of;
  for (const auto& [key, pages] : uses_)
    if (is_of_processes(key.kind) || key.pattern != 0) pages_of[{key.pattern, key.payer}] += pages;
  std::vector<Node> users;
  std::uint32_t pattern_of_users = 0;
  for (const auto& [use, pages] : pages_of) {
    if (use.first != pattern_of_users) users = users_of(pattern_of_users = use.first);
    add_use(use.second, users, pages);
  }
}

void CgroupUses::add_use(Node payer, const std::vector<Node>& users, std::uint64_t pages) {
  for (Node node = payer; node != kNone; node = at(node).parent) {
    const Group& group = at(node);
    CgroupUse& use = groups_[group.row];
    const bool is_own = std::ranges::any_of(users, [&](Node user) { return is_in(user, group); });
    (users.empty() ? use.unmapped : is_own ? use.used_by_itself : use.used_by_others) += pages;
  }
  std::vector<Node> seen;
  for (const Node user : users)
    for (Node node = user; node != kNone; node = at(node).parent) {
      if (std::ranges::find(seen, node) != seen.end()) break;
      seen.push_back(node);
      CgroupUse& use = groups_[at(node).row];
      if (payer == kNone)
        use.uncharged += pages;
      else if (!is_in(payer, at(node)))
        use.paid_by_others += pages;
    }
}

std::vector<CgroupFile> CgroupUses::files() const {
  std::map<std::tuple<Node, std::uint32_t, PaidKind>, std::size_t> rows;
  std::vector<CgroupFile> files;
  std::vector<std::map<Node, std::uint64_t>> users_of_file;
  for (const auto& [key, pages] : uses_) {
    if (key.payer == kNone || !is_of_processes(key.kind)) continue;
    const PaidKind kind = key.kind == PaidKind::kDirtyFile ? PaidKind::kCleanFile : key.kind;
    const auto [row, is_new] = rows.try_emplace({key.payer, key.owner, kind}, files.size());
    if (is_new) {
      files.push_back({.payer = &groups_[at(key.payer).row],
                       .file = key.owner == 0 ? nullptr : &owners_[key.owner - 1],
                       .kind = kind});
      users_of_file.emplace_back();
    }
    CgroupFile& file = files[row->second];
    const std::vector<Node> users = users_of(key.pattern);
    file.pages += pages;
    if (users.empty()) file.unused += pages;
    if (std::ranges::any_of(users, [&](Node user) { return user != key.payer; }))
      file.by_others += pages;
    for (const Node user : users)
      if (user != kNone) users_of_file[row->second][user] += pages;
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const auto& [user, pages] : users_of_file[i])
      files[i].users.emplace_back(&groups_[at(user).row], pages);
    std::ranges::stable_sort(files[i].users, std::greater<>(),
                             &std::pair<const CgroupUse*, std::uint64_t>::second);
  }
  std::ranges::sort(files, [](const CgroupFile& a, const CgroupFile& b) {
    const auto name = [](const CgroupFile& file) {
      return file.file == nullptr ? std::string_view() : std::string_view(file.file->name);
    };
    return std::tuple(b.by_others, b.pages, a.payer->path, name(a), a.kind) <
           std::tuple(a.by_others, a.pages, b.payer->path, name(b), b.kind);
  });
  return files;
}

}  // namespace physmem
