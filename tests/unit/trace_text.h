// SPDX-License-Identifier: MIT
// Reads a paging trace from a raw string or bytes, and converts it between its forms.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "paging/parse/trace_reader.h"
#include "paging/write/trace_writer.h"

namespace physmem {

/// The example of formats/trace-records.md, with the losses that its E: record counts.
inline constexpr std::string_view kTrace =
    R"(H: 1, trace=paging, arch=x86_64, page_size=4096, kernel=6.1.0, source=kmod, memory_bytes=519045120, frames_end=131040, wall_offset_ns=1763683200000000000
A: 0, partition, 131071, /dev/vda
O: 1, 8100200300, 2, 371, 371, work, 7F10C2A00000, 0001A2B3, 0:00000010, 00000080, io mapped, -
I: 2, 8101200300, 0, 371, 371, work, 7F10C2A00000, 0001B000, 0:00000010, 00000080, io major, 412000
I: 3, 8101201100, 0, 371, 371, work, -, 0001B001, 0:00000011, 00000088, io readahead, -
L: 8102000000, 1, 17
E: 2, 1, 17
)";

/// Records headers, events and losses in order of arrival.
class PagingRecorder : public PagingSink {
 public:
  void on_header(const TraceHeader& header) override { headers.push_back(header); }
  void on_event(const PagingEvent& event) override { events.push_back(event); }
  void on_lost(const LostEvents& lost) override { losses.push_back(lost); }

  std::vector<TraceHeader> headers;
  std::vector<PagingEvent> events;
  std::vector<LostEvents> losses;
};

/// The result of reading a trace: its contents, or those before the error.
struct TraceReading {
  PagingRecorder recorded;
  std::string error;  ///< empty: it was read to its end
  TraceNotes notes;
};

inline std::string read_into(PagingSink& sink, ByteSource& source, TraceReader::Options options,
                             TraceNotes& notes) {
  TraceReader reader(source, "t.trace", options);
  while (true) {
    const Result<bool> more = reader.next(sink);
    notes = reader.notes();
    if (!more) return more.error().text;
    if (!*more) return {};
  }
}

inline TraceReading read_trace_from(ByteSource& source, bool keep_going = false) {
  TraceReading reading;
  reading.error = read_into(reading.recorded, source, {keep_going}, reading.notes);
  return reading;
}

inline TraceReading read_trace(std::string_view bytes, bool keep_going = false) {
  const auto source = text_source(bytes);
  return read_trace_from(*source, keep_going);
}

/// The trace, which must be valid, in the form that `make` writes.
template <class Make>
std::string converted(std::string_view trace, Make make) {
  std::ostringstream out;
  const auto writer = make(out);
  const auto source = text_source(trace);
  TraceNotes notes;
  EXPECT_EQ(read_into(*writer, *source, {}, notes), "");
  writer->end();
  return out.str();
}

inline std::string as_text(std::string_view trace) {
  return converted(trace, text_trace_writer);
}
inline std::string as_binary(std::string_view trace) {
  return converted(trace, binary_trace_writer);
}

}  // namespace physmem
