// SPDX-License-Identifier: MIT
// Passes any bytes as records of the kernel side, in batches, through the device's reader and the
// code that completes and sorts them. Every record is an event or a loss, no name is longer than
// the kernel allows, and a trace written from them is read back.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "paging/model/paging_flags.h"
#include "paging/parse/trace_reader.h"
#include "paging/source/device_records.h"
#include "paging/source/local_records.h"
#include "paging/write/trace_writer.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/pieces.h"

namespace {

using namespace physmem;

struct Trace : PagingSink {
  void on_header(const TraceHeader& header) override { headers.push_back(header); }
  void on_event(const PagingEvent& event) override {
    PHYSMEM_CHECK(!headers.empty() && event.comm.size() < PM_PAGING_COMM);
    events.push_back(event);
    events.back().flags &= kPagingFlags;  // a flag without a name is not written
  }
  void on_lost(const LostEvents& lost) override { losses.push_back(lost); }
  std::vector<TraceHeader> headers;
  std::vector<PagingEvent> events;
  std::vector<LostEvents> losses;
};

constexpr std::size_t kBatch = 8;
constexpr std::uint64_t kNow = std::uint64_t{1} << 40;

/// The records read from a device with these bytes; is_broken if the last record is incomplete.
std::vector<pm_paging_record> records_of(std::string_view bytes, bool& is_broken) {
  const int file = ::memfd_create("records", MFD_CLOEXEC);
  PHYSMEM_CHECK(::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  ::lseek(file, 0, SEEK_SET);
  DeviceRecords device{UniqueFd(file), "device"};
  std::vector<pm_paging_record> records;
  std::array<pm_paging_record, kBatch> batch;
  for (;;) {
    const auto taken = device.take(batch);
    is_broken = !taken;
    if (!taken || taken->has_ended) return records;
    PHYSMEM_CHECK(taken->count <= kBatch);
    records.insert(records.end(), batch.begin(),
                   batch.begin() + static_cast<std::ptrdiff_t>(taken->count));
  }
}

Trace trace_of(std::vector<pm_paging_record> records) {
  Trace trace;
  LocalRecords local("kmod", kNow, "/nonexistent");
  local.begin(trace);
  for (std::size_t at = 0; at < records.size(); at += kBatch)
    local.add(std::span(records).subspan(at, std::min(kBatch, records.size() - at)), kNow, trace);
  local.finish(kNow, trace);
  return trace;
}

std::string written(const Trace& trace, std::unique_ptr<TraceWriter> (*make)(std::ostream&)) {
  std::ostringstream out;
  const auto writer = make(out);
  writer->on_header(trace.headers.front());
  for (const PagingEvent& event : trace.events) writer->on_event(event);
  for (const LostEvents& lost : trace.losses) writer->on_lost(lost);
  writer->end();
  return out.str();
}

void check_read_back(const Trace& trace, std::unique_ptr<TraceWriter> (*make)(std::ostream&)) {
  const std::string text = written(trace, make);
  Pieces source(text, text.size());
  TraceReader reader(source, "f", {});
  Trace again;
  for (;;) {
    const auto more = reader.next(again);
    PHYSMEM_CHECK(more);
    if (!*more) break;
  }
  PHYSMEM_CHECK(again.events == trace.events && again.losses == trace.losses);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bool is_broken = false;
  const std::vector<pm_paging_record> records =
      records_of({reinterpret_cast<const char*>(data), size}, is_broken);
  PHYSMEM_CHECK(is_broken == (size % sizeof(pm_paging_record) != 0));
  PHYSMEM_CHECK(records.size() <= size / sizeof(pm_paging_record));
  const Trace trace = trace_of(records);
  const auto losses = static_cast<std::size_t>(
      std::count_if(records.begin(), records.end(),
                    [](const auto& record) { return record.kind == PM_PAGING_LOST; }));
  PHYSMEM_CHECK(trace.headers.size() == 1);
  PHYSMEM_CHECK(trace.events.size() == records.size() - losses);
  // One more for missing sequence numbers.
  PHYSMEM_CHECK(trace.losses.size() == losses || trace.losses.size() == losses + 1);
  check_read_back(trace, text_trace_writer);
  check_read_back(trace, binary_trace_writer);
  return 0;
}
