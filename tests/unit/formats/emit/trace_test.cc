// SPDX-License-Identifier: MIT
// The exact lines of a paging trace, and the two line formats of the paper (A3, A5).
#include "formats/emit/trace.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "tests/emitted_text.h"

namespace physmem {
namespace {

pm_paging_record named(const char* comm) {
  pm_paging_record record{};
  record.sequence = 1;
  record.time_ns = 8'100'200'300;
  record.address = 0x7F10C2A00000;
  record.pfn = 0x1A2B3;
  record.slot = 0x10;
  record.sector = 0x80;
  record.service_ns = PM_PAGING_UNKNOWN;
  record.pid = 371;
  record.tgid = 371;
  record.flags = PM_PAGING_IO | PM_PAGING_OWNER_MAPPED;
  record.cpu = 2;
  record.kind = PM_PAGING_OUT;
  std::memcpy(record.comm, comm, strnlen(comm, PM_PAGING_COMM));
  return record;
}

pm_paging_record fault() {
  pm_paging_record record = named("work");
  record.sequence = 2;
  record.time_ns = 8'101'200'300;
  record.cpu = 0;
  record.pfn = 0x1B000;
  record.flags = PM_PAGING_IO | PM_PAGING_MAJOR;
  record.service_ns = 412'000;
  record.kind = PM_PAGING_IN;
  return record;
}

/// A record in which every optional field is unknown.
pm_paging_record unknown() {
  pm_paging_record record{};
  record.sequence = 3;
  record.address = record.pfn = record.slot = record.sector = record.service_ns = PM_PAGING_UNKNOWN;
  record.swap_type = PM_PAGING_NO_TYPE;
  record.cpu = PM_PAGING_NO_CPU;
  record.kind = PM_PAGING_OUT;
  return record;
}

std::string line_of(const pm_paging_record& record) {
  return emitted_by([&](pm_out* out) { pm_emit_trace_record(out, &record); });
}

std::string paper_line(const pm_paging_record& record, unsigned long count, __s64 offset) {
  return emitted_by([&](pm_out* out) { pm_emit_paper_line(out, &record, count, offset); });
}

/// The format strings of the paper's kernel, printed by this machine's printf.
std::string paper_in(long count, long sec, int usec, int pid, unsigned va, unsigned page,
                     unsigned sector) {
  char line[128];
  const int n = std::snprintf(line, sizeof line, "pGswAP_iN %06ld %ld.%06d %05d %08X %08X %08x\n",
                              count, sec, usec, pid, va, page, sector);
  return {line, static_cast<std::size_t>(n)};
}

std::string paper_out(long sec, int usec, unsigned page, unsigned sector) {
  char line[128];
  const int n =
      std::snprintf(line, sizeof line, "pGswAPoUT %ld.%06d %08X %08x\n", sec, usec, page, sector);
  return {line, static_cast<std::size_t>(n)};
}

TEST(EmitTrace, WritesTheHeaderOfTheSpecification) {
  const pm_trace_header header{"x86_64", "6.1.0",     "kmod",  nullptr,
                               4096,     519'045'120, 131'040, 1'763'683'200'000'000'000};
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_trace_header(out, &header); }),
            "H: 1, trace=paging, arch=x86_64, page_size=4096, kernel=6.1.0, source=kmod, "
            "memory_bytes=519045120, "
            "frames_end=131040, wall_offset_ns=1763683200000000000\n");
}

TEST(EmitTrace, WritesTheFormAndTheSmallestClockOffset) {
  const pm_trace_header header{"a,b", "", "bpf", "binary", 65536, 0, 0, INT64_MIN};
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_trace_header(out, &header); }),
            "H: 1, trace=paging, form=binary, arch=a\\054b, page_size=65536, kernel=, source=bpf, "
            "memory_bytes=0, "
            "frames_end=0, wall_offset_ns=-9223372036854775808\n");
}

TEST(EmitTrace, WritesSwapAreasOfEachKind) {
  const std::string name = "/swap, old\n";
  std::string text;
  for (__u8 kind = PM_TRACE_PARTITION; kind <= PM_TRACE_GONE; ++kind) {
    const pm_trace_area area{kind, kind, 131'071, text_of(name)};
    text += emitted_by([&](pm_out* out) { pm_emit_trace_area(out, &area); });
  }
  EXPECT_EQ(
      text,
      "A: 0, partition, 131071, /swap\\054 old\\012\nA: 1, file, 131071, /swap\\054 old\\012\n"
      "A: 2, zram, 131071, /swap\\054 old\\012\nA: 3, gone, 131071, /swap\\054 old\\012\n");
}

TEST(EmitTrace, WritesTheEventsOfTheSpecification) {
  EXPECT_EQ(line_of(named("work")),
            "O: 1, 8100200300, 2, 371, 371, work, 7F10C2A00000, 0001A2B3, 0:00000010, 00000080, io "
            "mapped, -\n");
  EXPECT_EQ(line_of(fault()),
            "I: 2, 8101200300, 0, 371, 371, work, 7F10C2A00000, 0001B000, 0:00000010, 00000080, io "
            "major, "
            "412000\n");
}

TEST(EmitTrace, WritesADashForEachUnknownField) {
  EXPECT_EQ(line_of(unknown()), "O: 3, 0, -, -, -, , -, -, -:-, -, -, -\n");
}

TEST(EmitTrace, WritesEveryNamedFlagAndIgnoresOtherBits) {
  pm_paging_record record = unknown();
  record.flags = ~0u;
  EXPECT_EQ(line_of(record),
            "O: 3, 0, -, -, -, , -, -, -:-, -, io readahead hit zswap zram major retry zero "
            "nofault shared "
            "mapped kept "
            "failed, -\n");
}

TEST(EmitTrace, WritesLostEvents) {
  pm_paging_record record{};
  record.kind = PM_PAGING_LOST;
  record.time_ns = 8'102'000'000;
  record.cpu = 1;
  record.slot = 17;
  EXPECT_EQ(line_of(record), "L: 8102000000, 1, 17\n");
  record.cpu = PM_PAGING_NO_CPU;
  EXPECT_EQ(line_of(record), "L: 8102000000, -, 17\n");
  EXPECT_EQ(paper_line(record, 1, 0), "");
}

TEST(EmitTrace, WritesTheEnd) {
  const pm_trace_end end{2, 1, ~0ull};
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_trace_end(out, &end); }),
            "E: 2, 1, 18446744073709551615\n");
}

TEST(EmitTrace, EscapesSeparatorsInANameSoThatItStaysOneField) {
  EXPECT_NE(line_of(named("a,b|c\\d")).find(", a\\054b\\174c\\134d, "), std::string::npos);
  EXPECT_NE(line_of(named("\nI: 9, 9")).find(", \\012I: 9\\054 9, "), std::string::npos);
  EXPECT_NE(line_of(named(" x ")).find(", \\040x\\040, "), std::string::npos);
  EXPECT_NE(line_of(named("\x7F\xFF\x1B[2J")).find(", \\177\\377\\033[2J, "), std::string::npos);
}

TEST(EmitTrace, CutsATaskNameAt15Bytes) {
  EXPECT_NE(line_of(named("0123456789abcdefXYZ")).find(", 0123456789abcde, "), std::string::npos);
}

TEST(EmitTrace, WritesTheExactLinesOfThePaper) {
  const __s64 offset = 1'763'683'200'000'000'000;
  EXPECT_EQ(paper_line(fault(), 2, offset),
            "pGswAP_iN 000002 1763683208.101200 00371 7F10C2A00000 0001B000 00000080\n");
  EXPECT_EQ(paper_line(named("work"), 0, offset),
            "pGswAPoUT 1763683208.100200 0001A2B3 00000080\n");
}

TEST(EmitTrace, MatchesThePrintfFormatsOfThePaper) {
  pm_paging_record record = fault();
  for (const unsigned value : {0u, 9u, 0x1Au, 0xABCDEFu, 0xDEADBEEFu, 0xFFFFFFFFu}) {
    record.address = record.pfn = record.sector = value;
    record.pid = value & 0x1FFFF;
    record.time_ns = value * 1'000'003ull;
    const long sec = static_cast<long>(record.time_ns / 1'000'000'000);
    const int usec = static_cast<int>(record.time_ns / 1000 % 1'000'000);
    record.kind = PM_PAGING_IN;
    EXPECT_EQ(paper_line(record, value, 0),
              paper_in(value, sec, usec, static_cast<int>(record.pid), value, value, value));
    record.kind = PM_PAGING_OUT;
    EXPECT_EQ(paper_line(record, value, 0), paper_out(sec, usec, value, value));
  }
}

TEST(EmitTrace, WidensThePapersFieldsOnlyForLongerNumbers) {
  pm_paging_record record = fault();
  record.pid = 4'194'304;
  record.pfn = 0x1'2345'6789;
  record.sector = 0xABC'DEF0'1234;
  EXPECT_EQ(paper_line(record, 1'234'567, 0),
            "pGswAP_iN 1234567 8.101200 4194304 7F10C2A00000 123456789 abcdef01234\n");
}

TEST(EmitTrace, FitsTheMinimumBuffer) {
  pm_paging_record record = named("\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n");
  record.sequence = record.time_ns = ~0ull;
  record.address = record.pfn = record.slot = record.sector = record.service_ns = ~0ull - 1;
  record.pid = record.tgid = record.flags = ~0u;
  const auto write = [&](pm_out* out) {
    pm_emit_trace_record(out, &record);
    pm_emit_paper_line(out, &record, ~0ull, -1);
  };
  EXPECT_EQ(emitted_by(write, PM_OUT_MIN), emitted_by(write, 1 << 16));
}

}  // namespace
}  // namespace physmem
