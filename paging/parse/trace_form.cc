// SPDX-License-Identifier: MIT
#include "paging/parse/trace_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace physmem {

void TraceForm::set_area(const SwapAreaLine& line) {
  std::vector<SwapArea>& areas = header_.swap_areas;
  const auto at = std::find_if(areas.begin(), areas.end(),
                               [&](const SwapArea& area) { return area.type == line.area.type; });
  if (at != areas.end()) areas.erase(at);
  if (!line.is_gone) {
    const auto position = std::find_if(areas.begin(), areas.end(), [&](const SwapArea& area) {
      return area.type > line.area.type;
    });
    areas.insert(position, line.area);
  }
  header_is_new_ = true;
}

void TraceForm::emit_header(PagingSink& sink) {
  if (std::exchange(header_is_new_, false)) sink.on_header(header_);
}

void TraceForm::deliver(const PagingEvent& event, PagingSink& sink) {
  emit_header(sink);
  ++(event.kind == PagingKind::kIn ? seen_.ins : seen_.outs);
  sink.on_event(event);
}

void TraceForm::deliver(const LostEvents& lost, PagingSink& sink) {
  emit_header(sink);
  seen_.lost += lost.count;
  sink.on_lost(lost);
}

Status TraceForm::check(const TraceTotals& stated, const Error& where) {
  if (is_damaged_ || stated == seen_) return {};
  return drop(
      {Error::Kind::kBadInput,
       fmt::format("{}found {} swap-ins, {} swap-outs, {} lost, expected {}, {}, {} as in the file",
                   where.text, stated.ins, stated.outs, stated.lost, seen_.ins, seen_.outs,
                   seen_.lost)});
}

Result<bool> TraceForm::cut_short(const Error& error) {
  if (!keep_going_ || error.kind != Error::Kind::kBadInput) return error;
  if (notes_.first_problem.empty()) notes_.first_problem = error.text;
  notes_.is_truncated = true;
  return false;
}

Status TraceForm::drop(const Error& error) {
  if (!keep_going_ || error.kind != Error::Kind::kBadInput) return error;
  if (notes_.first_problem.empty()) notes_.first_problem = error.text;
  ++notes_.dropped_lines;
  is_damaged_ = true;
  return {};
}

Error TraceForm::problem(std::uint64_t column, const std::string& text) const {
  return {Error::Kind::kBadInput,
          fmt::format("{}:{}:{}: {}", window_.name(), window_.line(), column, text)};
}

}  // namespace physmem
