// SPDX-License-Identifier: MIT
#include "top/model/rows.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

namespace physmem::top {
namespace {

template <class Number>
void add(std::optional<Number>& sum, const std::optional<Number>& other) {
  if (other) sum = sum.value_or(0) + *other;
}

bool has_text(std::string_view text, std::string_view part) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

/// The same process in another round; nullptr if it did not exist or is another with its id.
const ProcessState* find_in(const Round& round, const ProcessState& process) {
  const auto found =
      std::partition_point(round.processes.begin(), round.processes.end(),
                           [&](const auto& other) { return other->pid < process.pid; });
  if (found == round.processes.end() || (*found)->pid != process.pid ||
      (*found)->start_time != process.start_time)
    return nullptr;
  return found->get();
}

/// Counters never decrease, except in files that were edited.
double change(std::uint64_t before, std::uint64_t now) {
  return now < before ? 0 : static_cast<double>(now - before);
}

void add_rates(Numbers& numbers, const ProcessState& before, const ProcessState& now,
               double seconds, double hz) {
  if (seconds <= 0) return;
  numbers.minors = change(before.minors, now.minors) / seconds;
  numbers.majors = change(before.majors, now.majors) / seconds;
  numbers.cpu = change(before.ticks, now.ticks) / hz * 100 / seconds;
}

bool is_selected(const Row& row, const Selection& selection) {
  const ProcessState& process = *row.process;
  return selection.only.has(process.pid, process.uid, process.command, process.cgroup.text()) &&
         selection.filter.matches(row);
}

/// -1, 0 or 1 for descending numbers; unknown ones last in either order.
template <class Number>
int compare(const std::optional<Number>& a, const std::optional<Number>& b, bool is_reversed) {
  if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
  const int order = *a > *b ? -1 : *a < *b ? 1 : 0;
  return is_reversed ? -order : order;
}

/// A size of which `unread` is not known.
std::optional<Kib> bound(const std::optional<Kib>& known, Kib unread) {
  return known || unread != 0 ? std::optional(known.value_or(0) + unread) : std::nullopt;
}

std::optional<Kib> uss_bound(const Numbers& numbers) {
  return bound(numbers.uss, numbers.uss_unread);
}

std::optional<Kib> pss_bound(const Numbers& numbers) {
  return bound(numbers.pss, numbers.pss_unread);
}

template <class Value>
int compare_ascending(const Value& a, const Value& b, bool is_reversed) {
  const int order = a < b ? -1 : b < a ? 1 : 0;
  return is_reversed ? -order : order;
}

const std::string& title_of(const Row& row) {
  return row.process != nullptr ? row.process->command : row.label;
}

std::uint64_t pid_of(const Row& row) {
  return row.process != nullptr ? row.process->pid : 0;
}

int compare_by(const Row& a, const Row& b, SortKey key, bool is_reversed) {
  switch (key) {
    case SortKey::kPid:
      return compare_ascending(pid_of(a), pid_of(b), is_reversed);
    case SortKey::kUser:
      return compare_ascending(a.user, b.user, is_reversed);
    case SortKey::kCommand:
      return compare_ascending(title_of(a), title_of(b), is_reversed);
    case SortKey::kUss:
      return compare(uss_bound(a.numbers), uss_bound(b.numbers), is_reversed);
    case SortKey::kPss:
      return compare(pss_bound(a.numbers), pss_bound(b.numbers), is_reversed);
    case SortKey::kRss:
      return compare(a.numbers.rss, b.numbers.rss, is_reversed);
    case SortKey::kSwap:
      return compare(a.numbers.swap, b.numbers.swap, is_reversed);
    case SortKey::kMinors:
      return compare(a.numbers.minors, b.numbers.minors, is_reversed);
    case SortKey::kMajors:
      return compare(a.numbers.majors, b.numbers.majors, is_reversed);
    case SortKey::kCpu:
      return compare(a.numbers.cpu, b.numbers.cpu, is_reversed);
  }
  return 0;
}

bool is_before(const Row& a, const Row& b, const Order& order) {
  if (const int by_key = compare_by(a, b, order.key, order.is_reversed); by_key != 0)
    return by_key < 0;
  if (const int by_rss = compare(a.numbers.rss, b.numbers.rss, false); by_rss != 0)
    return by_rss < 0;
  return pid_of(a) < pid_of(b);
}

/// A cgroup with the groups and processes in it.
struct Group {
  std::string path;
  std::string label;
  std::map<std::string, std::unique_ptr<Group>> groups;
  std::vector<Row> processes;
  Numbers sum;
  std::size_t members = 0;
};

/// Finds or makes the group of a path such as "/user.slice/session-1.scope".
Group& group_of(Group& root, std::string_view path) {
  Group* group = &root;
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    const std::string_view name = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    if (name.empty()) continue;
    std::unique_ptr<Group>& child = group->groups[std::string(name)];
    if (!child) {
      child = std::make_unique<Group>();
      child->path = group->path + "/" + std::string(name);
      child->label = name;
    }
    group = child.get();
  }
  return *group;
}

void sum_up(Group& group) {
  for (auto& [name, child] : group.groups) {
    sum_up(*child);
    group.sum += child->sum;
    group.members += child->members;
  }
  for (const Row& row : group.processes) group.sum += row.numbers;
  group.members += group.processes.size();
}

/// A group with one child and no process is one line with that child.
const Group& merged(const Group& group, std::string& label) {
  const Group* at = &group;
  label = group.label;
  while (at->processes.empty() && at->groups.size() == 1) {
    at = at->groups.begin()->second.get();
    label += "/" + at->label;
  }
  return *at;
}

void append_content(const Group& group, std::size_t depth, const Order& order,
                    const std::set<std::string>& collapsed, std::vector<Row>& into) {
  std::vector<std::pair<Row, const Group*>> children;
  for (const auto& [name, child] : group.groups) {
    Row row;
    const Group& shown = merged(*child, row.label);
    row.cgroup = shown.path;
    row.numbers = shown.sum;
    row.members = shown.members;
    row.is_collapsed = collapsed.count(shown.path) != 0;
    children.emplace_back(std::move(row), &shown);
  }
  std::stable_sort(children.begin(), children.end(), [&](const auto& a, const auto& b) {
    return is_before(a.first, b.first, order);
  });
  for (auto& [row, child] : children) {
    row.depth = depth;
    const bool is_open = !row.is_collapsed;
    into.push_back(std::move(row));
    if (is_open) append_content(*child, depth + 1, order, collapsed, into);
  }
  std::vector<Row> processes = group.processes;
  sort_rows(processes, order);
  for (Row& row : processes) {
    row.depth = depth;
    into.push_back(std::move(row));
  }
}

}  // namespace

Numbers& Numbers::operator+=(const Numbers& other) {
  is_uss_of_several = is_uss_of_several || other.is_uss_of_several || (uss && other.uss);
  add(uss, other.uss);
  add(pss, other.pss);
  add(rss, other.rss);
  add(swap, other.swap);
  add(minors, other.minors);
  add(majors, other.majors);
  add(cpu, other.cpu);
  uss_unread += other.uss_unread;
  pss_unread += other.pss_unread;
  return *this;
}

TextFilter::TextFilter(std::string text) : text_(std::move(text)) {
  const bool is_expression = text_.size() > 2 && text_.front() == '/' && text_.back() == '/';
  const std::size_t bracket = text_.find('[');
  const bool is_glob =
      text_.find_first_of("*?") != std::string::npos ||
      (bracket != std::string::npos && text_.find(']', bracket) != std::string::npos);
  // An expression that is wrong, because it is not complete yet, is an ordinary text.
  if (is_expression || is_glob) pattern_ = NamePattern::parse(text_);
  is_wrong_ = is_expression && !pattern_;
}

bool TextFilter::matches(const std::string& name) const {
  return pattern_ ? pattern_->matches(name) : has_text(name, text_);
}

bool TextFilter::matches(const Row& row) const {
  if (text_.empty()) return true;
  if (row.process == nullptr) return matches(row.cgroup);
  return matches(row.process->command) || matches(row.user) ||
         matches(row.process->cgroup.text()) || std::to_string(row.process->pid) == text_;
}

std::vector<Row> rows_of(const Round& now, const Round* before, const Selection& selection,
                         const UserName& user_name) {
  std::vector<Row> rows;
  rows.reserve(now.processes.size());
  for (const ProcessPointer& process : now.processes) {
    Row row;
    row.process = process.get();
    row.user = user_name(process->uid);
    if (!is_selected(row, selection)) continue;
    row.cgroup = process->cgroup.text();
    row.numbers.uss = process->uss;
    row.numbers.pss = process->pss;
    row.numbers.rss = process->rss;
    row.numbers.swap = process->swap;
    if (!process->uss) row.numbers.uss_unread = process->rss.value_or(0);
    if (!process->pss) row.numbers.pss_unread = process->rss.value_or(0);
    const ProcessState* old = before != nullptr ? find_in(*before, *process) : nullptr;
    if (old != nullptr && now.uptime_ns > before->uptime_ns)
      add_rates(row.numbers, *old, *process,
                static_cast<double>(now.uptime_ns - before->uptime_ns) / 1e9,
                static_cast<double>(now.hz));
    rows.push_back(std::move(row));
  }
  return rows;
}

void sort_rows(std::vector<Row>& rows, const Order& order) {
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row& a, const Row& b) { return is_before(a, b, order); });
}

std::vector<Row> tree_of(std::vector<Row> rows, const Order& order,
                         const std::set<std::string>& collapsed) {
  Group root;
  for (Row& row : rows) {
    Group& group = group_of(root, row.cgroup);
    group.processes.push_back(std::move(row));
  }
  sum_up(root);
  std::vector<Row> tree;
  append_content(root, 0, order, collapsed, tree);
  return tree;
}

Numbers total_of(const std::vector<Row>& rows) {
  Numbers total;
  for (const Row& row : rows)
    if (row.process != nullptr) total += row.numbers;
  total.is_uss_of_several = false;  // a sum by its definition
  return total;
}

}  // namespace physmem::top
