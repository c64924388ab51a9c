// SPDX-License-Identifier: MIT
// The binary form of a paging trace: its bytes, and the messages about malformed bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"
#include "tests/unit/trace_text.h"

namespace physmem {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const std::string kHead = "H: 1, trace=paging, form=binary, page_size=4096\n\n";

TEST(TraceBinary, ConvertsToTextAndBackWithoutChange) {
  EXPECT_EQ(as_text(kTrace), kTrace);
  EXPECT_EQ(as_text(as_binary(kTrace)), kTrace);
  EXPECT_EQ(as_binary(as_binary(kTrace)), as_binary(kTrace));
}

/// Written by hand from formats/trace-records.md.
TEST(TraceBinary, HasTheBytesOfTheSpecification) {
  const std::string items =
      "\x0C\x01\xF3\x02\xF3\x02\x04work"s  // process 1: 371, 371, work
      "\x7A\x02\x01\x81\x08\x1F\x00"s      // out; cpu 2, process 1, flags 401, shape 1F, type 0
      "\xD8\xFD\xF9\xAC\x3C"s              // time: 2 x 8100200300
      "\x80\xA8\xE1\x90\xFE\x01"s          // address: 2 x 7F10C2A00
      "\xE6\x8A\x0D\x20"s   // frame: 2 x 1A2B3; slot: 2 x 10; its sector 80 is the expected one
      "\x00\x00\x01\x00"s;  // end: 0, 1, 0
  const std::string text =
      "H: 1, trace=paging, arch=, page_size=4096, kernel=, source=, memory_bytes=0, frames_end=0, "
      "wall_offset_ns=0\n"
      "O: 1, 8100200300, 2, 371, 371, work, 7F10C2A00000, 0001A2B3, 0:00000010, 00000080, io "
      "mapped, -\n"
      "E: 0, 1, 0\n";
  EXPECT_EQ(as_text(kHead + items), text);
  const std::string written = as_binary(text);
  EXPECT_EQ(written.substr(written.find("\n\n") + 2), items);
}

TEST(TraceBinary, GivesTheSameEventsFromSmallReads) {
  const std::string binary = as_binary(kTrace);
  PiecewiseSource pieces(binary, 2);
  EXPECT_EQ(read_trace_from(pieces).recorded.events, read_trace(kTrace).recorded.events);
}

TEST(TraceBinary, ReportsTruncationAtEveryByte) {
  const std::string binary = as_binary(kTrace);
  for (std::size_t size = 2; size < binary.size(); ++size) {
    const TraceReading reading = read_trace(binary.substr(0, size));
    EXPECT_THAT(reading.error, HasSubstr("cut short")) << size;
    const bool has_header = size > binary.find("\n\n") + 1;
    EXPECT_EQ(read_trace(binary.substr(0, size), true).notes.is_truncated, size > binary.find('\n'))
        << size;
    EXPECT_EQ(reading.recorded.headers.size(), has_header ? 1u : 0u) << size;
  }
}

struct BadItem {
  std::string bytes;
  const char* message;
};

class BadBinary : public ::testing::TestWithParam<BadItem> {};

TEST_P(BadBinary, IsRejectedWithTheByteOffset) {
  const TraceReading reading = read_trace(kHead + GetParam().bytes);
  EXPECT_THAT(reading.error, HasSubstr("t.trace: byte 49: "s + GetParam().message));
  const TraceReading kept = read_trace(kHead + GetParam().bytes, true);
  EXPECT_EQ(kept.error, "");
  EXPECT_TRUE(kept.notes.is_truncated);
}

INSTANTIATE_TEST_SUITE_P(
    TraceBinary, BadBinary,
    ::testing::Values(
        BadItem{"\x10", "found an item that begins with 16"},
        BadItem{"\x03", "found an item that begins with 3"},
        BadItem{"\x11\x01\x00"s, "found an event of a process that was not introduced"},
        BadItem{"\x11\x80\x20", "process: found 4096, expected less than 4096"},
        BadItem{"\x09\x80\x80\x04", "CPU: found 65536, expected less than 65536"},
        BadItem{"\x41\x40", "shape: found 64"},
        BadItem{"\x21\x80\x40", "flags: found 8192, expected less than 8192"},
        BadItem{"\x41\x04\xFF", "type of the swap area: found 255"},
        BadItem{"\x81\x00\x01"s, "found a sector in an event whose shape has none"},
        BadItem{"\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02", "found a number of 2^64 or more"},
        BadItem{"\x0C\x00\x01\x01\x00"s, "process: found 0"},
        BadItem{"\x0C\x01\x01\x01\x10", "name: found 16 bytes"},
        BadItem{"\x0C\x01\x01\x01\x02\x61\x00"s, "name: found a byte 0 in it"},
        BadItem{"\x08\x00\x04"s, "kind of the swap area: found 4"},
        BadItem{"\x08\x00\x00\x01\x81\x20"s, "length of the swap area's name: found 4097"}));

TEST(TraceBinary, ChecksTheSumsInItsEndRecord) {
  EXPECT_THAT(
      read_trace(kHead + "\x00\x01\x00\x00"s).error,
      HasSubstr("t.trace: byte 49: found 1 swap-ins, 0 swap-outs, 0 lost, expected 0, 0, 0 as in "
                "the file"));
  EXPECT_THAT(read_trace(kHead + "\x00\x00\x00\x00x"s).error,
              HasSubstr("found bytes after the end"));
  EXPECT_EQ(read_trace(kHead + "\x00\x00\x00\x00"s).error, "");
}

TEST(TraceBinary, RejectsOtherLinesInTheTextHeader) {
  EXPECT_EQ(read_trace("H: 1, trace=paging, form=binary\nI: 1\n\n").error,
            "t.trace:2:1: found \"I: 1\", expected A: or an empty line");
}

TEST(TraceBinary, ReassignsProcessNumbersWhenAllAreUsed) {
  std::string text =
      "H: 1, trace=paging, arch=, page_size=4096, kernel=, source=, memory_bytes=0, frames_end=0, "
      "wall_offset_ns=0\n";
  for (int i = 1; i <= 10'000; ++i)
    text += "I: " + std::to_string(i) + ", " + std::to_string(i) + ", 0, " +
            std::to_string(i % 5000 + 1) + ", 7, work, 0000" + std::to_string(1000 + i % 7) +
            "000, -, -:-, -, io, 5\n";
  text += "E: 10000, 0, 0\n";
  // An address that requires eight digits keeps them.
  std::string written = as_text(as_binary(text));
  EXPECT_EQ(read_trace(written).recorded.events, read_trace(text).recorded.events);
}

}  // namespace
}  // namespace physmem
