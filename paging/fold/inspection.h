// SPDX-License-Identifier: MIT
// What a trace shows about one frame, one slot or one virtual page (C3).
//
// A statement is reported as a fact only if the trace proves it. The kernel may drop a clean page
// that has a copy in swap, and may free a slot, without an event. All results are therefore limited
// to what the trace shows.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "paging/fold/paging_state.h"

namespace physmem {

enum class PageStatus : std::uint8_t { kUnknown, kResident, kSwapped };
enum class FrameStatus : std::uint8_t { kUnknown, kHolds, kLeft, kReused };
enum class SlotStatus : std::uint8_t { kUnknown, kCopy, kOnlyCopy, kReused };

struct Inspection {
  std::uint64_t event = 0;  ///< number of the last event that touched it; 0: no event
  PageStatus page = PageStatus::kUnknown;
  FrameStatus frame = FrameStatus::kUnknown;
  SlotStatus slot = SlotStatus::kUnknown;
  std::array<std::string, 3> words;  ///< one sentence each, in this order
};

/// Formats a moment of the trace (ms since its beginning) for use in sentences after "at".
using TimeWords = std::function<std::string(std::uint32_t time_ms)>;
/// "8.101 s"
std::string since_begin(std::uint32_t time_ms);

Inspection inspect_frame(const PagingState& state, std::uint64_t pfn,
                         const TimeWords& time = since_begin);
Inspection inspect_slot(const PagingState& state, std::uint8_t swap_type, std::uint64_t slot,
                        const TimeWords& time = since_begin);
Inspection inspect_address(const PagingState& state, std::uint32_t tgid, std::uint64_t address,
                           const TimeWords& time = since_begin);

const char* name(PageStatus status);
const char* name(FrameStatus status);
const char* name(SlotStatus status);

}  // namespace physmem
