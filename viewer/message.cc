// SPDX-License-Identifier: MIT
#include "viewer/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <string_view>

#include "paging/model/paging_flags.h"
#include "program/printable.h"

namespace physmem::view {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxProcesses = 200;
constexpr std::size_t kMaxFrameRuns = 4096;
/// Limit of the page, which has arrays by block: it shows at most 16 TiB of 4 KiB pages.
constexpr std::uint64_t kMaxNamed = std::uint64_t{1} << 32;
constexpr std::uint32_t kMinuteMs = 60'000;

const char* kind_name(std::uint8_t kind) {
  return kind == PM_PAGING_IN ? "in" : kind == PM_PAGING_OUT ? "out" : "lost";
}

/// The offset at that time, which may differ from today's (daylight saving time).
int utc_offset_min(std::int64_t wall_ms) {
  const std::time_t then = wall_ms / 1000;
  std::tm local{};
  if (localtime_r(&then, &local) == nullptr) return 0;
  return static_cast<int>(local.tm_gmtoff / 60);
}

/// As on the page, which uses the offset at the beginning of the trace.
std::string time_of_day(std::int64_t begin_ms, std::uint32_t time_ms) {
  constexpr std::int64_t kDayMs = 86'400'000;
  const std::int64_t wall_ms =
      begin_ms + time_ms + std::int64_t{utc_offset_min(begin_ms)} * kMinuteMs;
  const std::int64_t ms = (wall_ms % kDayMs + kDayMs) % kDayMs;
  return fmt::format("{:02}:{:02}:{:02}.{:03}", ms / 3'600'000, ms / 60'000 % 60, ms / 1000 % 60,
                     ms % 1000);
}

json contiguity_json(const Contiguity& contiguity) {
  return {{"pairs", contiguity.pairs}, {"adjacent", contiguity.adjacent}};
}

/// Rates with one decimal, which is sufficient and halves the size.
double rounded(double rate) {
  return std::round(rate * 10) / 10;
}

}  // namespace

Message text_message(const json& message) {
  return {false, message.dump(-1, ' ', false, json::error_handler_t::replace)};
}

Message error_message(const std::string& text) {
  return text_message({{"error", text}});
}

Message hello_message(const TraceFeed& feed, const std::optional<ReplayState>& replay,
                      bool follows) {
  const TraceHeader& header = feed.header();
  json areas = json::array();
  for (const SwapArea& area : header.swap_areas)
    areas.push_back({{"type", area.type},
                     {"kind", kSwapAreaWords[static_cast<std::size_t>(area.kind)]},
                     {"slots", std::min<std::uint64_t>(area.slots, kMaxNamed)},
                     {"name", for_picture(area.name)}});
  json hello{{"mode", replay ? "replay" : "live"},
             {"source", for_picture(header.source)},
             {"arch", for_picture(header.arch)},
             {"kernel", for_picture(header.kernel)},
             {"page_size", header.page_size},
             {"memory_bytes", header.memory_bytes},
             {"frames_end", hex(std::min(header.frames_end, kMaxNamed))},
             {"wall_ms", feed.wall_ms()},
             {"utc_offset_min", utc_offset_min(feed.wall_ms())},
             {"areas", std::move(areas)},
             {"history_from", feed.timeline().history_from_ms()},
             {"recording", feed.has_header()}};
  if (follows) hello["follow"] = true;
  if (replay) hello["replay"] = {{"speed", replay->speed}, {"paused", replay->is_paused}};
  return text_message({{"hello", std::move(hello)}});
}

Message state_message(const PagingState& state, const StateFacts& facts) {
  const PagingSums& sums = state.sums();
  json body{{"t", state.now_ms()},
            {"end", facts.end_ms},
            {"live", facts.is_live},
            {"history_from", facts.history_from_ms},
            {"ins", sums.ins},
            {"outs", sums.outs},
            {"readahead", sums.readahead},
            {"hits", sums.hits},
            {"major", sums.major},
            {"lost", sums.lost},
            {"skipped", facts.skipped},
            {"clients", facts.clients},
            {"ended", facts.has_ended},
            {"contiguity", contiguity_json(state.virtual_pages().contiguity())}};
  const std::uint64_t left_out = state.pages().left_out() + state.virtual_pages().left_out();
  if (left_out != 0) body["left_out"] = left_out;
  if (facts.is_playing) body["playing"] = true;
  if (!facts.trouble.empty()) body["trouble"] = for_picture(facts.trouble);
  return text_message({{"state", std::move(body)}});
}

json event_json(const PackedEvent& event, const NameTable& names) {
  json body{{"seq", event.sequence}, {"t", event.time_ms}, {"kind", kind_name(event.kind)}};
  if (event.tgid != 0) body["tgid"] = event.tgid;
  if (event.pid != 0) body["pid"] = event.pid;
  if (event.comm != 0) body["comm"] = for_picture(names.name(event.comm));
  if (event.address != PM_PAGING_UNKNOWN) body["address"] = hex(event.address);
  if (event.pfn != PM_PAGING_UNKNOWN) body["frame"] = hex(event.pfn);
  if (event.swap_type != PM_PAGING_NO_TYPE) body["area"] = event.swap_type;
  if (event.slot != PM_PAGING_UNKNOWN) body["slot"] = hex(event.slot);
  if (event.sector != PM_PAGING_UNKNOWN) body["sector"] = hex(event.sector);
  json flags = json::array();
  for (std::size_t i = 0; i < kPagingFlagWords.size(); ++i)
    if ((event.flags >> i & 1) != 0) flags.emplace_back(kPagingFlagWords[i]);
  body["flags"] = std::move(flags);
  if (event.service_us != PackedEvent::kNoService) body["service_us"] = event.service_us;
  return body;
}

Message log_message(const std::vector<const PackedEvent*>& lines, const LogPlace& place,
                    const NameTable& names) {
  json list = json::array();
  for (const PackedEvent* line : lines) list.push_back(event_json(*line, names));
  json body{{"lines", std::move(list)}, {"more", place.more}};
  if (place.is_whole) body["reset"] = true;
  if (place.before) {
    body["before"] = place.before->sequence;
    body["first"] = place.before->is_first;
  }
  return text_message({{"log", std::move(body)}});
}

namespace {

json rate_list(const std::deque<PagingRate>& rates, std::uint32_t from_ms, std::uint32_t end_ms) {
  json list = json::array();
  for (const PagingRate& rate : rates) {
    if (rate.begin_ms < from_ms || rate.begin_ms >= end_ms) continue;
    json row{rate.begin_ms, rate.ins, rate.outs, rate.major, nullptr};
    if (const auto mean = rate.mean_service_us()) row[4] = rounded(*mean);
    list.push_back(std::move(row));
  }
  return list;
}

}  // namespace

Message rates_message(const PagingRates& rates, std::uint32_t from_ms, bool is_whole) {
  // Leaves out minutes that are completely covered by seconds.
  const std::uint32_t first = rates.seconds().empty() ? 0 : rates.seconds().front().begin_ms;
  const std::uint32_t minutes_end = first - first % kMinuteMs;
  json body{{"seconds", rate_list(rates.seconds(), from_ms, ~std::uint32_t{0})},
            {"minutes", rate_list(rates.minutes(),
                                  is_whole                  ? 0
                                  : minutes_end < kMinuteMs ? 0
                                                            : minutes_end - kMinuteMs,
                                  minutes_end)}};
  if (is_whole) body["reset"] = true;
  return text_message({{"rates", std::move(body)}});
}

Message processes_message(const PagingState& state, const NameTable& names) {
  json list = json::array();
  for (const ProcessTrace* process : state.processes().busiest(state.now_ms(), kMaxProcesses)) {
    const RecentMoves::Rate rate = process->recent.rate(state.now_ms());
    json row{{"tgid", process->tgid},        {"comm", for_picture(names.name(process->comm))},
             {"ins", process->ins},          {"outs", process->outs},
             {"in_rate", rounded(rate.ins)}, {"out_rate", rounded(rate.outs)},
             {"t", process->time_ms}};
    if (process->kind != 0) row["kind"] = kind_name(process->kind);
    if (process->address != PM_PAGING_UNKNOWN) row["address"] = hex(process->address);
    if (process->inferred != 0) row["inferred"] = process->inferred;
    if (process->is_address_inferred) row["address_inferred"] = true;
    list.push_back(std::move(row));
  }
  const ProcessActivity::Other& other = state.processes().other();
  return text_message(
      {{"processes", std::move(list)},
       {"other", {{"processes", other.processes}, {"ins", other.ins}, {"outs", other.outs}}}});
}

Message process_message(const PagingState& state, std::uint32_t tgid, const NameTable& names) {
  const ProcessTrace* process = state.processes().find(tgid);
  const VirtualPages::Sums sums = state.virtual_pages().sums(tgid);
  json last = json::array();
  if (process != nullptr)
    for (const PackedEvent& event : process->last()) last.push_back(event_json(event, names));
  json frames = json::array();
  for (const auto& [first, n] : state.virtual_pages().frames(tgid, kMaxFrameRuns))
    frames.push_back({hex(first), n});
  json body{{"tgid", tgid},
            {"comm", process == nullptr ? "" : for_picture(names.name(process->comm))},
            {"threads", process == nullptr ? 0 : process->threads.size()},
            {"ins", process == nullptr ? 0 : process->ins},
            {"outs", process == nullptr ? 0 : process->outs},
            {"inferred", process == nullptr ? 0 : process->inferred},
            {"resident_known", sums.resident},
            {"swapped_known", sums.swapped},
            {"contiguity", contiguity_json(sums.contiguity)},
            {"last", std::move(last)},
            {"frames", std::move(frames)}};
  return text_message({{"process", std::move(body)}});
}

namespace {

Inspection inspect(const PagingState& state, const Inspect& what, const TimeWords& time) {
  switch (what.what) {
    case Inspect::What::kSlot:
      return inspect_slot(state, what.area, what.at, time);
    case Inspect::What::kAddress:
      return inspect_address(state, what.tgid, what.at, time);
    case Inspect::What::kFrame:
      break;
  }
  return inspect_frame(state, what.at, time);
}

}  // namespace

Message inspection_message(const PagingState& state, const Inspect& what, const TraceFeed& feed) {
  const std::int64_t begin_ms = feed.wall_ms();
  const Inspection found = inspect(
      state, what, [begin_ms](std::uint32_t time_ms) { return time_of_day(begin_ms, time_ms); });
  constexpr std::array kWhat{"frame", "slot", "address"};
  json body{{"what", kWhat[static_cast<std::size_t>(what.what)]},
            {"at", hex(what.at)},
            {"page", name(found.page)},
            {"frame", name(found.frame)},
            {"slot", name(found.slot)},
            {"words", found.words}};
  if (what.what == Inspect::What::kSlot) body["area"] = what.area;
  if (what.what == Inspect::What::kAddress) body["tgid"] = what.tgid;
  if (const PackedEvent* event = feed.timeline().events().find(found.event))
    body["event"] = event_json(*event, feed.names());
  return text_message({{"inspection", std::move(body)}});
}

}  // namespace physmem::view
