// SPDX-License-Identifier: MIT
// Pages of each process by region (I12).
#include "analyzer/analyze/process/basic.h"

#include <gtest/gtest.h>

#include <sstream>

#include "analyzer/report/table_writer.h"
#include "analyzer/shape/basic_shape.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// Text of version 1: an area with `pages` pages, all with use count `count`.
std::string area(std::uint64_t start, std::uint64_t pages, std::uint64_t flags,
                 const std::string& unit, int count) {
  std::string text = fmt::format(
      "V: {:08X}, {:08X}, {:08X}, {:08X}, 00000412, {:08X}, {}\nP: {}, 0, {}, {}, {}\nM:", start,
      start + (pages << 12) - 1, pages << 12, pages << 12, flags, unit, pages, pages,
      count == 1 ? pages : 0, count == 1 ? 0 : pages);
  for (std::uint64_t i = 0; i < pages; ++i)
    text +=
        fmt::format(" {:08X}={:08X}, {}, 000420CC |", start + (i << 12), start + (i << 12), count);
  return text + "\n";
}

std::string csv(const Basic& basic, bool is_virtual = false, bool is_full = false) {
  std::ostringstream out;
  csv_table_writer(out)->write(basic_table(basic.rows(), {{}, "s.txt", is_virtual, is_full}));
  return out.str();
}

TEST(Basic, PrintsRowsOfFigure2) {
  const std::string snapshot =
      "T: swapper , 0, 00000000, 0, 0, 0, 0, 0, 0, 39626\nT: init , 1, c018c0a0, 0, 1, 2, 3, 4, 5, "
      "6\n" +
      area(0x0FE94000, 118, 0x75, "/lib/libc-2.2.5.so", 22) +
      area(0x0FFB4000, 10, 0x77, "/lib/libc-2.2.5.so", 1) + area(0x0FFBE000, 5, 0x77, "NULL", 1) +
      area(0x10000000, 12, 0x1875, "/sbin/init", 2) + area(0x10010000, 1, 0x1877, "/sbin/init", 1) +
      area(0x10011000, 4, 0x77, "NULL", 1) + area(0x7FFF0000, 4, 0x177, "NULL", 1);
  Basic basic;
  fold(snapshot, {&basic});
  EXPECT_EQ(
      csv(basic),
      R"(Name, RW Count, RX Count, Total, Name, Stack, .Data, .Text, Heap, Lib .bss, Lib .data, Lib .text, Single, Multi
swapper, 0, 0, 0, swapper, 0, 0, 0, 0, 0, 0, 0, 0, 0
init, 24, 130, 154, init, 4, 1, 12, 4, 5, 10, 118, 0, 118
)");
}

constexpr std::string_view kCat = R"(
process cat 371
400000-404000 r-xpX 0 10 /bin/cat : f2 f2 f1 .
404000-405000 rw-pX 4000 10 /bin/cat : a1
405000-408000 rw-p 0 0 - : a1 . s
1000000-1010000 rw-p 0 0 [heap] : a1 a1 s s
7F0000000000-7F0000004000 r-xp 0 20 /lib/libc.so.6 : f9 f1 f12 .
7F0000004000-7F0000006000 rw-p 4000 20 /lib/libc.so.6 : a1 a2
7F0000006000-7F0000008000 rw-p 0 0 - : a1
7F1000000000-7F1000002000 r--p 0 9 /usr/data : f1 f2
7F1000010000-7F1000012000 rw-s 0 6 /dev/shm/x : f2 f2
7F1000020000-7F1000023000 r--p 0 0 [new] : f1 f3 z
7FF000000000-7FF000003000 rw-pS 0 0 [stack] : . a1 a1
)";

TEST(Basic, CountsFilesSharedMemoryAndUnexplainedAsLibrariesByPermission) {
  Basic basic;
  fold(maps_snapshot(kCat), {&basic});
  EXPECT_EQ(csv(basic).substr(csv(basic).find('\n')),
            "\ncat, 11, 10, 21, cat, 2, 1, 3, 3, 1, 4, 7, 3, 4\n");
}

TEST(Basic, ShowsFilesSharedMemoryAndUnexplainedSeparatelyInFullTable) {
  Basic basic;
  fold(maps_snapshot(kCat), {&basic});
  const std::string full = csv(basic, false, true);
  EXPECT_EQ(full.substr(0, full.find('\n')),
            "Name,RW Count,RX Count,Total,Name,Stack,.Data,.Text,Heap,Lib .bss,Lib .data,Lib "
            ".text,Single,Multi,PID,"
            "App .bss,Mapped files,Shared memory,Special,Unexplained,Swapped,Unique,Proportional");
  // Unique: f1 a1 a1 a1 a1 f1 a1 a1 f1 f1 a1 a1.
  // Proportional: the unique pages, 1/2 for each of 6 f2 and a2, 1/9, 1/12 and 1/3.
  EXPECT_EQ(full.substr(full.find('\n')),
            "\ncat,11,10,21,cat,2,1,3,3,1,4,7,3,4,371,1,2,2,1,2,3,12,15.53\n");
}

TEST(Basic, CountsVirtualPagesIfRequested) {
  Basic basic;
  fold(maps_snapshot(kCat), {&basic});
  const std::string text = csv(basic, true);
  // Stack 3, data 1, heap 16 + 3 bss, text 4.
  // Library: bss 2, data 2 + 2 shared, text 4 + 2 file + 3 unexplained.
  EXPECT_EQ(text.substr(text.find('\n')), "\ncat, 29, 13, 42, cat, 3, 1, 4, 19, 2, 4, 9, 3, 4\n");
}

TEST(Basic, CountsUnlistedSharedMemoryAsSwapped) {
  const std::string snapshot = std::string(kHeaderLine) + std::string(kTaskLine) +
                               "V: 0002D000, 00031FFF, 00005000, 00001000, 00000000, 0000000B, "
                               "/dev/shm/x, 00000000, 00:01, 5\n"
                               "P: 1, 0, 0, 1, 0, 1, 3\n"
                               "M: 0002D000=00001000, 1, 00000828 |\n"
                               "S: 0002E000=0:00000001 |\nE: 1, 1, 1, 1, 0\n";
  Basic basic;
  fold(snapshot, {&basic});
  EXPECT_EQ(basic.rows().at(0).swapped, 4u);
}

}  // namespace
}  // namespace physmem
