// SPDX-License-Identifier: MIT
#include "tools/pftrace-log/log_lines.h"

#include <array>
#include <cstdio>
#include <ctime>
#include <optional>

#include "program/printable.h"

namespace physmem::log {
namespace {

constexpr std::uint64_t kBillion = 1'000'000'000, kMillion = 1'000'000;

std::string hex(const std::optional<std::uint64_t>& number) {
  if (!number) return "-";
  std::array<char, 24> text;
  std::snprintf(text.data(), text.size(), "%08llX", static_cast<unsigned long long>(*number));
  return text.data();
}

}  // namespace

std::string local_time(std::uint64_t time_ns, std::int64_t wall_offset_ns) {
  const std::uint64_t wall = time_ns + static_cast<std::uint64_t>(wall_offset_ns);
  const auto seconds = static_cast<std::time_t>(wall / kBillion);
  std::tm parts = {};
  ::localtime_r(&seconds, &parts);
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%02d:%02d:%02d.%03u", parts.tm_hour, parts.tm_min,
                parts.tm_sec, static_cast<unsigned>(wall % kBillion / kMillion));
  return text.data();
}

namespace {

/// A fault that moved no page is a swap-cache hit or will be retried.
const char* kind_word(const PagingEvent& event) {
  if (event.is_move()) return event.kind == PagingKind::kIn ? "IN  " : "OUT ";
  return event.has(PM_PAGING_CACHE_HIT) ? "HIT " : "TRY ";
}

}  // namespace

std::string event_line(const PagingEvent& event, std::int64_t wall_offset_ns) {
  const std::string process = event.tgid ? std::to_string(*event.tgid) : "-";
  return kind_word(event) + local_time(event.time_ns, wall_offset_ns) + ' ' + process + ' ' +
         hex(event.address) + ' ' + hex(event.pfn) + ' ' + hex(event.sector) + ' ' +
         (event.comm.empty() ? "-" : for_terminal(event.comm));
}

std::string lost_line(const LostEvents& lost, std::int64_t wall_offset_ns) {
  return "LOST " + local_time(lost.time_ns, wall_offset_ns) + ' ' + std::to_string(lost.count);
}

}  // namespace physmem::log
