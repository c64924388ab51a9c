// SPDX-License-Identifier: MIT
// Memory of processes as a table for people.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

enum class UseColumn {
  kPid,
  kUser,
  kCommand,
  kCgroup,
  kFile,
  kProgram,  ///< the file that a process executes
  kProcesses,
  kThreads,
  kUnread,  ///< processes of a group whose USS or PSS is not in the sum
  kUss,
  kPss,
  kRss,
  kSwap,
  kSwapPss,
  kKsm,   ///< merged pages
  kHuge,  ///< transparent huge pages
  kAnon,
  kFilePages,  ///< resident pages that are neither anonymous nor shared memory
  kShmem,
  kLazyFree,
  kHugetlb,
  kLocked,
  kDirty,
  kPageTables,
  kVirtual,
  kPercent,  ///< PSS as a share of RAM
};

/// Sizes by flags of pages.
inline constexpr std::array kFlagColumns{
    UseColumn::kKsm,       UseColumn::kHuge,   UseColumn::kAnon,
    UseColumn::kFilePages, UseColumn::kShmem,  UseColumn::kLazyFree,
    UseColumn::kHugetlb,   UseColumn::kLocked, UseColumn::kDirty};

/// The word of an option: "pid", "uss", "percent", in any case. Nothing for other words.
std::optional<UseColumn> use_column(std::string_view word);
std::string use_column_words();
/// The words of the columns that a table of this grouping has.
std::string use_column_words(UseGrouping grouping);
bool has_column(UseGrouping grouping, UseColumn column);
std::string_view word_of(UseColumn column);

/// The user's wishes for the table.
struct UseView {
  std::vector<UseColumn> columns = {};           ///< empty: the grouping's columns
  std::optional<UseColumn> sort = std::nullopt;  ///< nothing: PSS, or RSS if that is unknown
  bool is_reversed = false;
  std::optional<std::size_t> top = std::nullopt;  ///< rows; the others are summed up in one
  std::optional<SizeUnit> unit = {};
  bool has_sums = true;                       ///< rows for the total and for what `top` leaves out
  UseGrouping group = UseGrouping::kProcess;  ///< of the rows of diff
  /// The name of a user id; empty: unknown.
  std::function<std::string(std::uint64_t)> user_name = {};

  /// The command line of a process that has this name. Without it, or if it returns an empty text,
  /// the name is shown.
  std::function<std::string(std::uint64_t pid, const std::string& name)> command_line = {};
  /// Of files: without memory that no file has, such as [anon].
  bool has_only_paths = false;

  /// The name of a user, or the number if it has no known name.
  std::string user(std::uint64_t uid) const {
    const std::string name = user_name ? user_name(uid) : "";
    return name.empty() ? std::to_string(uid) : name;
  }
  /// Whether it has a column by flags of pages.
  bool shows_flags() const {
    return std::ranges::any_of(kFlagColumns, [this](UseColumn column) { return shows(column); });
  }
  /// Whether the column is one of `columns`, or decides the order.
  bool shows(UseColumn column) const {
    return sort == column || std::ranges::find(columns, column) != columns.end();
  }
};

/// Sizes are largest first, texts and PIDs ascending. The last row is the total, over all rows.
Table use_table(const MemoryUses& uses, const UseView& use_view, const View& view);

/// The rows with most PSS: what they have alone, their part of shared pages, and what is swapped.
BarChart use_chart(const MemoryUses& uses, const UseView& use_view, const View& view);

}  // namespace physmem
