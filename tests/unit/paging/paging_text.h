// SPDX-License-Identifier: MIT
// Paging events in shorthand, such as "in 100 371 7F001000 1B0 0:10 io major". The words are kind,
// ms, process, address, frame, slot and flags. `-` means unknown. The default flag is io.
#pragma once

#include <array>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/parse/line_cursor.h"
#include "paging/fold/paging_timeline.h"

namespace physmem {

inline PackedEvent paging_event(const std::string& line) {
  constexpr std::array<std::pair<const char*, pm_paging_flag>, 8> kFlags{
      {{"io", PM_PAGING_IO},
       {"readahead", PM_PAGING_READAHEAD},
       {"hit", PM_PAGING_CACHE_HIT},
       {"major", PM_PAGING_MAJOR},
       {"retry", PM_PAGING_RETRY},
       {"zswap", PM_PAGING_ZSWAP},
       {"zero", PM_PAGING_ZERO},
       {"failed", PM_PAGING_FAILED}}};
  std::istringstream words(line);
  std::string kind;
  std::string address;
  std::string frame;
  std::string slot;
  PackedEvent event;
  words >> kind >> event.time_ms >> event.tgid >> address >> frame >> slot;
  event.pid = event.tgid;
  event.kind = kind == "in" ? PM_PAGING_IN : PM_PAGING_OUT;
  parse_hex(address, event.address);
  parse_hex(frame, event.pfn);
  if (slot != "-") event.swap_type = static_cast<std::uint8_t>(slot[0] - '0');
  if (slot != "-") parse_hex(slot.substr(2), event.slot);
  for (std::string word; words >> word;) {
    if (word.starts_with("service="))
      event.service_us = static_cast<std::uint32_t>(std::stoul(word.substr(8)));
    for (const auto& [name, flag] : kFlags)
      if (word == name) event.flags = static_cast<std::uint16_t>(event.flags | flag);
  }
  if (event.flags == 0) event.flags = PM_PAGING_IO;
  return event;
}

inline PagingTimeline timeline_of(const std::string& text, PagingTimeline::Limits limits = {}) {
  PagingTimeline timeline(12, limits);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) timeline.add(paging_event(line));
  return timeline;
}

}  // namespace physmem
