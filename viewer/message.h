// SPDX-License-Identifier: MIT
// What the server says: the messages of protocol.md, made of the folds.
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

/// How a file is played; nothing for other sources.
struct ReplayState {
  double speed = 1;
  bool is_paused = false;

  friend bool operator==(const ReplayState&, const ReplayState&) = default;
};

Message text_message(const nlohmann::json& json);
Message error_message(const std::string& text);

/// `follows`: the page begins with following the busiest block.
Message hello_message(const TraceFeed& feed, const std::optional<ReplayState>& replay,
                      bool follows);

/// What is not in the state itself.
struct StateFacts {
  bool is_live = true;
  bool is_playing = false;  ///< a moment of the past that goes on
  bool has_ended = false;
  std::uint32_t history_from_ms = 0;
  std::uint32_t end_ms = 0;   ///< how far the trace goes
  std::uint64_t skipped = 0;  ///< log lines
  std::size_t clients = 1;
  std::string trouble = {};  ///< of the source
};
Message state_message(const PagingState& state, const StateFacts& facts);

nlohmann::json event_json(const PackedEvent& event, const NameTable& names);
/// That lines stand before those the page has.
struct LogBefore {
  std::uint64_t sequence = 0;  ///< of the line that they stand before
  bool is_first = false;       ///< none is kept that stands before these
};
struct LogPlace {
  std::uint64_t more = 0;  ///< left out before the lines
  bool is_whole = false;
  std::optional<LogBefore> before = {};
};
Message log_message(const std::vector<const PackedEvent*>& lines, const LogPlace& place,
                    const NameTable& names);
/// `from_ms`: only seconds and minutes that begin there or later.
Message rates_message(const PagingRates& rates, std::uint32_t from_ms, bool is_whole);
Message processes_message(const PagingState& state, const NameTable& names);
Message process_message(const PagingState& state, std::uint32_t tgid, const NameTable& names);
Message inspection_message(const PagingState& state, const Inspect& what, const TraceFeed& feed);

/// Cells that an event later than `since` touched; nothing when there are none and it is not the
/// whole. `kind`: 1 pages, 2 slots.
std::optional<Message> cells_message(int kind, std::uint8_t area, std::uint64_t number,
                                     const PageBlock* block, std::uint64_t since, bool is_whole);
/// The same of sums by block. `kind`: 3 pages, 5 slots; nullptr: nothing was seen of that area.
std::optional<Message> overview_message(int kind, std::uint8_t area,
                                        const PageActivity::Blocks* blocks, std::uint32_t now_ms,
                                        std::uint64_t since, bool is_whole);

}  // namespace physmem::view
