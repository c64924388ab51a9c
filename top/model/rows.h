// SPDX-License-Identifier: MIT
// The rows of the table: rates between two rounds, selected and sorted; and cgroups with the sums
// of their processes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/analyze/name_pattern.h"
#include "analyzer/analyze/process_filter.h"
#include "top/model/round.h"

namespace physmem::top {

enum class SortKey { kPid, kUser, kUss, kPss, kRss, kSwap, kMinors, kMajors, kCpu, kCommand };
inline constexpr std::size_t kSortKeys = 10;

/// The numbers of a process or of a group of processes.
struct Numbers {
  std::optional<Kib> uss, pss, rss, swap;
  std::optional<double> minors;  ///< per second
  std::optional<double> majors;
  std::optional<double> cpu;  ///< percent of one core
  Kib uss_unread = 0;  ///< RSS of processes whose USS is not known: their USS is at most that
  Kib pss_unread = 0;
  /// Of several processes: pages that only these map, but more than one of them, are not in `uss`.
  bool is_uss_of_several = false;

  /// Adds what is known. A sum is nothing if nothing in it is known.
  Numbers& operator+=(const Numbers& other);
};

struct Row {
  const ProcessState* process = nullptr;  ///< nullptr: a cgroup
  std::string user;
  Numbers numbers;
  // In a tree of cgroups or processes.
  std::size_t depth = 0;
  std::string cgroup;       ///< whole path; of a process, its group's
  std::string label;        ///< of a cgroup: its last name, or several if they have one child
  std::size_t members = 0;  ///< processes of a cgroup and those below it
  bool is_collapsed = false;
};

/// The name of a user id. The number if it is not known.
using UserName = std::function<std::string(std::uint64_t uid)>;

/// What the user types to find processes by command, user or cgroup: a part of one, without regard
/// to case; a glob for a whole one ("py*"); or a regular expression between slashes. Or the pid.
class TextFilter {
 public:
  TextFilter() = default;
  explicit TextFilter(std::string text);

  const std::string& text() const { return text_; }
  bool is_empty() const { return text_.empty(); }
  /// Between slashes, but no regular expression. It is taken as a text.
  bool is_wrong() const { return is_wrong_; }
  /// A row of a cgroup has only the cgroup.
  bool matches(const Row& row) const;

 private:
  bool matches(const std::string& name) const;

  std::string text_;  ///< empty: matches all rows
  std::optional<NamePattern> pattern_;
  bool is_wrong_ = false;
};

struct Selection {
  ProcessFilter only = {};
  TextFilter filter = {};
};

struct Order {
  SortKey key = SortKey::kPss;
  bool is_reversed = false;
};

/// The processes of `now` that the selection contains. Without `before`, rates are not known. The
/// rows point into `now`.
std::vector<Row> rows_of(const Round& now, const Round* before, const Selection& selection,
                         const UserName& user_name);

/// Numbers: highest first; texts and ids ascending. Where USS or PSS is not known, RSS counts,
/// which it cannot exceed. Other unknown values come last. Rows of equal order follow by RSS, then
/// by pid.
void sort_rows(std::vector<Row>& rows, const Order& order);

/// The rows as a tree of cgroups with their processes. Groups of one level are ordered like rows.
/// Groups in `collapsed` hide what is below them.
std::vector<Row> tree_of(std::vector<Row> rows, const Order& order,
                         const std::set<std::string>& collapsed);

/// The sum over all rows that are processes.
Numbers total_of(const std::vector<Row>& rows);

}  // namespace physmem::top
