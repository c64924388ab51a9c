// SPDX-License-Identifier: MIT
// What the user looks at: the state that keys change.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "top/model/details.h"
#include "top/model/history.h"
#include "top/model/rows.h"
#include "top/screen/styled.h"

namespace physmem::top {

enum class Page { kTable, kProcess, kHelp };
enum class Prompt { kNone, kSearch, kFilter, kTime };

struct View {
  Page page = Page::kTable;
  Prompt prompt = Prompt::kNone;
  std::string input;    ///< of the prompt
  TextFilter search;    ///< the last one
  std::string message;  ///< shown until the next key
  Order order;
  Selection selection;
  bool is_tree = false;
  std::set<std::string> collapsed;

  std::size_t cursor = 0;                 ///< index of the selected row
  std::size_t first = 0;                  ///< index of the first visible row
  std::optional<std::uint64_t> followed;  ///< pid on which the cursor stays
  bool is_followed_shown = true;          ///< false if it has ended, or the filter hides it
  /// Number of the round that is shown; nothing: the latest one.
  std::optional<std::uint64_t> at_round;

  std::uint64_t pid = 0;   ///< of the process page
  std::size_t scroll = 0;  ///< first visible line of the process page or the help
  std::size_t lines = 0;   ///< that were drawn of it in all

  std::uint64_t interval_ns = 1'000'000'000;
  std::size_t width = 80;
  std::size_t height = 24;
  bool is_over = false;
};

/// What the view shows at the moment. Points into the history.
struct Shown {
  const Round* now = nullptr;
  const Round* before = nullptr;
  std::size_t index = 0;
  std::size_t rounds = 0;
  std::uint64_t age_ns = 0;  ///< time from this round to the latest one
  bool is_replay = false;
  bool is_batch = false;
  std::string source;  ///< name of the replayed file
  Line time_bar;       ///< of a replay
  std::vector<Row> rows;
  std::size_t selected_processes = 0;
  Numbers total;
  std::shared_ptr<const Details> details;
  std::string no_details;  ///< why there are none
};

/// Selects, sorts and groups the rows of the round that the view shows, and moves the cursor and
/// the first visible row so that the cursor is valid and visible. The history must have a round.
Shown look_at(const History& history, View& view, const UserName& user_name);

/// Rows of the table that fit on the screen.
std::size_t table_rows(const View& view);

}  // namespace physmem::top
