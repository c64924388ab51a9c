// SPDX-License-Identifier: MIT
// The server's messages (protocol.md), built from the folds.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "paging/fold/inspection.h"
#include "paging/fold/name_table.h"
#include "paging/fold/paging_state.h"
#include "paging/fold/paging_timeline.h"
#include "viewer/command.h"
#include "viewer/trace_feed.h"
#include "viewer/view.h"

namespace physmem::view {

/// State of a replay; empty for other sources.
struct ReplayState {
  double speed = 1;
  bool is_paused = false;

  friend bool operator==(const ReplayState&, const ReplayState&) = default;
};

Message text_message(const nlohmann::json& json);
Message error_message(const std::string& text);

/// With `follows`, the page initially follows the busiest block.
Message hello_message(const TraceFeed& feed, const std::optional<ReplayState>& replay,
                      bool follows);

/// Facts that are not part of PagingState.
struct StateFacts {
  bool is_live = true;
  bool is_playing = false;  ///< a past moment that advances with time
  bool has_ended = false;
  std::uint32_t history_from_ms = 0;
  std::uint32_t end_ms = 0;   ///< end of the trace
  std::uint64_t skipped = 0;  ///< log lines
  std::size_t clients = 1;
  std::string trouble = {};  ///< of the source
};
Message state_message(const PagingState& state, const StateFacts& facts);

nlohmann::json event_json(const PackedEvent& event, const NameTable& names);
/// Marks lines that precede those on the page.
struct LogBefore {
  std::uint64_t sequence = 0;  ///< of the line that they precede
  bool is_first = false;       ///< no earlier lines are kept
};
struct LogPlace {
  std::uint64_t more = 0;  ///< number of lines left out before these
  bool is_whole = false;
  std::optional<LogBefore> before = {};
};
Message log_message(const std::vector<const PackedEvent*>& lines, const LogPlace& place,
                    const NameTable& names);
/// Contains only seconds and minutes that begin at `from_ms` or later.
Message rates_message(const PagingRates& rates, std::uint32_t from_ms, bool is_whole);
Message processes_message(const PagingState& state, const NameTable& names);
Message process_message(const PagingState& state, std::uint32_t tgid, const NameTable& names);
Message inspection_message(const PagingState& state, const Inspect& what, const TraceFeed& feed);

/// The cells touched by events after `since`, or all cells if `is_whole`. Empty if there are no
/// such cells and not `is_whole`. `kind` is 1 for pages, 2 for slots.
std::optional<Message> cells_message(int kind, std::uint8_t area, std::uint64_t number,
                                     const ActivityBlock* block, std::uint64_t since,
                                     bool is_whole);
/// The same for sums per block. `kind` is 3 for pages, 5 for slots. `blocks` is nullptr if no event
/// of that area was seen.
std::optional<Message> overview_message(int kind, std::uint8_t area,
                                        const PageActivity::Blocks* blocks, std::uint32_t now_ms,
                                        std::uint64_t since, bool is_whole);

}  // namespace physmem::view
