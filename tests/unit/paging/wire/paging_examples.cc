// SPDX-License-Identifier: MIT
#include "tests/unit/paging/wire/paging_examples.h"

#include "paging/model/paging_record.h"

namespace physmem {

TraceHeader example_header() {
  return {.arch = "x86_64",
          .kernel = "6.1.0",
          .source = "kmod",
          .page_size = 4096,
          .memory_bytes = 519045120,
          .frames_end = 131040,
          .wall_offset_ns = 1763683200000000000,
          .swap_areas = {{0, SwapAreaKind::kPartition, 131071, "/dev/vda"},
                         {2, SwapAreaKind::kZram, 512, "/dev/zram0"}}};
}

PagingEvent example_event(std::uint64_t sequence) {
  const bool is_in = sequence % 2 == 0;
  return {.sequence = sequence,
          .time_ns = 8'100'000'000 + sequence,
          .kind = is_in ? PagingKind::kIn : PagingKind::kOut,
          .flags = is_in ? PM_PAGING_IO | PM_PAGING_MAJOR : unsigned{PM_PAGING_IO},
          .cpu = 2,
          .pid = is_in ? std::optional<std::uint32_t>(371) : std::nullopt,
          .tgid = is_in ? std::optional<std::uint32_t>(370) : std::nullopt,
          .comm = is_in ? "work" : "",
          .address =
              is_in ? std::optional<std::uint64_t>(0x7F10C2A00000 + 4096 * sequence) : std::nullopt,
          .pfn = 0x1A2B3 + sequence,
          .swap_type = 0,
          .slot = 0x10 + sequence,
          .sector = 0x80 + 8 * sequence,
          .service_ns = is_in ? std::optional<std::uint64_t>(412000) : std::nullopt};
}

ExampleSession::Datagram ExampleSession::finished(std::size_t size) {
  ++next_.number;
  return {bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size)};
}

ExampleSession::Datagram ExampleSession::configuration(const TraceHeader& header) {
  return finished(wire::encode_configuration(next_, header, bytes_));
}

ExampleSession::Datagram ExampleSession::events(std::size_t count) {
  std::vector<pm_paging_record> records;
  for (std::size_t i = 0; i < count; ++i)
    records.push_back(record_of(example_event(next_.events_sent + i)));
  const std::size_t size = wire::encode_events(next_, records, bytes_);
  next_.events_sent += count;
  return finished(size);
}

ExampleSession::Datagram ExampleSession::end(wire::Kind how) {
  return finished(wire::encode_end(next_, how, bytes_));
}

}  // namespace physmem
