// SPDX-License-Identifier: MIT
#include "paging/shape/paging_shape.h"

#include <fmt/format.h>

#include "paging/model/paging_flags.h"

namespace physmem {
namespace {

constexpr double kNsOfMicro = 1000;

template <class T>
Cell cell(const std::optional<T>& value) {
  if (!value) return {};
  return std::uint64_t{*value};
}

/// In s, with all nine decimals.
std::string seconds(std::uint64_t ns) {
  return fmt::format("{}.{:09}", ns / 1'000'000'000, ns % 1'000'000'000);
}

Cell mean_us(const PagingTotal& total) {
  if (total.timed == 0) return {};
  return static_cast<double>(total.service_ns) / static_cast<double>(total.timed) / kNsOfMicro;
}

Cell longest_us(const PagingTotal& total) {
  if (total.timed == 0) return {};
  return static_cast<double>(total.longest_ns) / kNsOfMicro;
}

std::vector<Cell> total_row(Cell tgid, std::string name, const PagingTotal& total) {
  return {std::move(tgid), std::move(name), total.reads,      total.readahead,
          total.hits,      total.writes,    total.inferred,   total.unmoved,
          total.major,     mean_us(total),  longest_us(total)};
}

}  // namespace

TableHead paging_events_head() {
  using Kind = Column::Kind;
  return {"events",
          "",
          {{"sequence", Kind::kNumber},
           {"time s", Kind::kText},
           {"wall s", Kind::kText},
           {"kind", Kind::kText},
           {"cpu", Kind::kNumber},
           {"pid", Kind::kNumber},
           {"tgid", Kind::kNumber},
           {"comm", Kind::kText},
           {"address", Kind::kHex},
           {"frame", Kind::kHex},
           {"area", Kind::kNumber},
           {"slot", Kind::kHex},
           {"sector", Kind::kHex},
           {"flags", Kind::kText},
           {"service ns", Kind::kNumber}}};
}

std::vector<Cell> paging_event_row(const PagingEvent& event, std::int64_t wall_offset_ns) {
  const std::uint64_t wall = event.time_ns + static_cast<std::uint64_t>(wall_offset_ns);
  return {event.sequence,
          seconds(event.time_ns),
          seconds(wall),
          event.kind == PagingKind::kIn ? "in" : "out",
          event.cpu == PM_PAGING_NO_CPU ? Cell{} : Cell{std::uint64_t{event.cpu}},
          cell(event.pid),
          cell(event.tgid),
          event.comm.empty() ? Cell{} : Cell{event.comm},
          cell(event.address),
          cell(event.pfn),
          cell(event.swap_type),
          cell(event.slot),
          cell(event.sector),
          paging_flag_words(event.flags),
          cell(event.service_ns)};
}

Table paging_summary(const PagingTotals& totals) {
  using Kind = Column::Kind;
  Table table{{"paging",
               "Paging activity by process (pages)",
               {{"PID", Kind::kNumber},
                {"Name", Kind::kText},
                {"Read", Kind::kNumber},
                {"of these ahead", Kind::kNumber},
                {"Hits", Kind::kNumber},
                {"Written", Kind::kNumber},
                {"of these kept", Kind::kNumber},
                {"Zswap or zeros", Kind::kNumber},
                {"Major faults", Kind::kNumber},
                {"Mean service us", Kind::kNumber},
                {"Longest us", Kind::kNumber}}},
              {}};
  table.head.spare = {"Longest us",     "of these kept", "Zswap or zeros",
                      "of these ahead", "Hits",          "Mean service us"};
  for (const PagingTotal& total : totals.by_process())
    table.rows.push_back(
        total_row(total.tgid == 0 ? Cell{} : Cell{std::uint64_t{total.tgid}},
                  total.tgid == 0 && total.comm.empty() ? "(owner not known)" : total.comm, total));
  table.rows.push_back(total_row({}, "Total", totals.sum()));
  table.notes.push_back(fmt::format("{} s from the first event to the last; {} events were lost.",
                                    seconds(totals.last_ns() - totals.first_ns()), totals.lost()));
  return table;
}

}  // namespace physmem
