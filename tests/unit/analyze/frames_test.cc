// SPDX-License-Identifier: MIT
// Physical pages: their number (I18) and the list of them (I19).
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/process/page_count.h"
#include "analyzer/analyze/process/page_dump.h"
#include "analyzer/report/table_writer.h"
#include "analyzer/shape/pages_shape.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

TEST(PageCount, PrintsLineOfFigure8) {
  std::string snapshot = "T: init , 1, 1, 0, 0, 0, 0, 0, 0, 0\n";
  snapshot += fmt::format("V: 10000000, {:08X}, {:08X}, 00000000, 00000412, 00000077, NULL\nM:",
                          0x10000000 + 439 * 4096 - 1, 439 * 4096);
  for (int i = 0; i < 439; ++i)
    snapshot +=
        fmt::format(" {:08X}={:08X}, 1, 00000054 |", 0x10000000 + i * 4096, 0x02000000 + i * 4096);
  PageCount count;
  fold(snapshot + "\n", {&count});
  EXPECT_EQ(page_count_text(count), "439");
}

TEST(PageCount, CountsFrameOfManyProcessesOnce) {
  PageCount count;
  fold(maps_snapshot(R"(
process a 1
1000-4000 r-xp 0 20 /lib/a.so : f3@10 f3@11 f1@12
5000-6000 rw-p 0 0 - : a3@10
process b 2
1000-4000 r-xp 0 20 /lib/a.so : f3@10 f3@11 f1@13
)"),
       {&count});
  EXPECT_EQ(count.pages(), 4u);
}

TEST(PageCount, CountsHugetlbButNotZeroPageOrDeviceMemory) {
  PageCount count;
  fold(maps_snapshot("process a 1\n1000-6000 rw-p 0 0 - : z0@1 n0@2 h1@3 h1@4 a1@5\n"), {&count});
  EXPECT_EQ(count.pages(), 3u);
}

TEST(PageCount, IsUnknownIfNoPagesAreListed) {
  PageCount count;
  Header header;
  header.has_pages = false;
  count.on_header(header);
  EXPECT_EQ(page_count_text(count), "unknown (the snapshot lists no pages)");
  EXPECT_EQ(page_count_table(count, {header, "s.txt"}).rows.at(0).at(0), Cell());
}

/// The text table with one row per page.
std::string dump_of(std::string_view snapshot) {
  PageDump dump;
  View view;
  view.header = fold(snapshot, {&dump}).header();
  std::ostringstream out;
  const auto table = text_table_writer(out);
  table->begin(page_dump_head());
  dump.for_each([&](const PageRows& rows) {
    table->prepared_rows({rows.address, view.header.page_size.bytes, rows.pages},
                         table->prepare(page_dump_cells(dump.kind(rows.kind), view)));
  });
  table->end();
  return "\n" + out.str();
}

TEST(PageDump, PrintsRowsOfFigure9ByAddress) {
  EXPECT_EQ(dump_of(R"(T: init , 1, 1, 0, 0, 0, 0, 0, 0, 0
V: 0FD00000, 0FD01FFF, 00002000, 00000000, 00000412, 00000875, /lib/ld-2.2.5.so
M: 0FD00000=0018D012, 35, 000420CC | 0FD01000=00190212, 35, 000420CC |
V: 0FD02000, 0FD02FFF, 00001000, 00000000, 00000412, 00000877, /lib/ld-2.2.5.so
M: 0FD02000=00C03292, 1, 00002054 |
V: 10000000, 10000FFF, 00001000, 00000000, 00000412, 00001875, /bin/myinit
M: 10000000=00680612, 2, 000420CC |
V: 10001000, 10001FFF, 00001000, 00000000, 00000412, 00001877, /bin/myinit
M: 10001000=00C2C7D2, 1, 000020CC |
V: 10002000, 10002FFF, 00001000, 00000000, 00000412, 00000077, NULL
M: 10002000=00B065D2, 1, 000000CC |
V: 7FFFF000, 7FFFFFFF, 00001000, 00000000, 00000412, 00000177, NULL
M: 7FFFF000=004527D2, 1, 000020C4 |
)"),
            R"(
Address    | PTE Flag   | VMA Flag   | VMA Sym | Page Flags | Count | Owner
0X0018D000 | 0X00000012 | 0X00000875 | ..r.x.  | 0X000420CC |    35 | /lib/ld-2
0X00190000 | 0X00000212 | 0X00000875 | ..r.x.  | 0X000420CC |    35 | /lib/ld-2
0X00452000 | 0X000007D2 | 0X00000177 | S.rwx.  | 0X000020C4 |     1 | init
0X00680000 | 0X00000612 | 0X00001875 | .Xr.x.  | 0X000420CC |     2 | /bin/myinit
0X00B06000 | 0X000005D2 | 0X20001077 | .XrwxB  | 0X000000CC |     1 | /bin/myinit
0X00C03000 | 0X00000292 | 0X00000877 | ..rwx.  | 0X00002054 |     1 | /lib/ld-2
0X00C2C000 | 0X000007D2 | 0X00001877 | .Xrwx.  | 0X000020CC |     1 | /bin/myinit
)");
}

TEST(PageDump, AssignsPagesOfUnnamedFileToFile) {
  for (const char* unit : {"[name not in dump]", "[path too long]"}) {
    PageDump dump;
    fold(with(maps_snapshot("process one 1\n10000000-10001000 r-xp 0 20 /lib/a.so : f1@7F\n"
                            "10001000-10002000 rw-p 0 0 - : a1@81\n"),
              "/lib/a.so", unit),
         {&dump});
    std::vector<std::string> owners;
    dump.for_each([&](const PageRows& rows) { owners.emplace_back(dump.kind(rows.kind).owner); });
    EXPECT_EQ(owners, std::vector<std::string>(2, unit)) << "and the bss that follows it";
  }
}

TEST(PageDump, PrintsFirstOwnerOfSharedFrame) {
  EXPECT_EQ(dump_of(maps_snapshot(R"(
process a 1
1000-2000 r-xp 0 20 /lib/a.so.1 : f2@123456789
process b 2
1000-2000 r-xp 0 20 /mnt/a.so.1 : f2@123456789
4000-5000 rw-p 0 0 [heap] : a1@1
)")),
            R"(
Address        | PTE Flag   | VMA Flag   | VMA Sym | Page Flags | Count | Owner
    0X00001000 | 0X00000000 | 0X20001003 | .Xrw.B  | 0X00005800 |     1 | b
0X123456789000 | 0X00000000 | 0X00000005 | ..r.x.  | 0X00000808 |     2 | /lib/a.so.1
)");
}

/// Some frames of a run are new: before, after and between frames that are already known.
TEST(PageDump, KeepsFirstOwnerOfKnownFramesWithinRun) {
  EXPECT_EQ(dump_of(maps_snapshot(R"(
process a 1
1000-3000 r--p 0 20 /a : f2@12 f2@13
8000-9000 r--p 0 21 /b : f2@16
process c 2
1000-8000 r--p 0 22 /c : f2@11 f2@12 f2@13 f2@14 f2@15 f2@16 f2@17
)")),
            R"(
Address    | PTE Flag   | VMA Flag   | VMA Sym | Page Flags | Count | Owner
0X00011000 | 0X00000000 | 0X00000001 | ..r...  | 0X00000808 |     2 | /c
0X00012000 | 0X00000000 | 0X00000001 | ..r...  | 0X00000808 |     2 | /a
0X00013000 | 0X00000000 | 0X00000001 | ..r...  | 0X00000808 |     2 | /a
0X00014000 | 0X00000000 | 0X00000001 | ..r...  | 0X00000808 |     2 | /c
0X00015000 | 0X00000000 | 0X00000001 | ..r...  | 0X00000808 |     2 | /c
0X00016000 | 0X00000000 | 0X00000001 | ..r...  | 0X00000808 |     2 | /b
0X00017000 | 0X00000000 | 0X00000001 | ..r...  | 0X00000808 |     2 | /c
)");
}

/// Bit 14 is not part of the address: neighbours in the page table are not neighbours in RAM.
constexpr std::string_view kAddressHasHoles =
    "H: 2, arch=x86_64, page_size=4096, phys_mask=000000FFFFFFB000, pte=raw, flags=kpf, "
    "count=mapcount, "
    "pages=all\n"
    "T: a, 1, 00000001, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, /\n"
    "V: 00001000, 00003FFF, 00003000, 00003000, 00000000, 00000001, /a, 00000000, 00:00, 0\n"
    "P: 3, 0, 3, 3, 0, 0\n"
    "M: 00001000=00012000, 1, 00000808 | 00002000=00013000, 1, 00000808 | 00003000=00014000, 1, "
    "00000808 |\n"
    "E: 1, 1, 3, 0, 0\n";

TEST(PageDump, SplitsRunIntoFramesIfAddressMaskHasHoles) {
  EXPECT_EQ(dump_of(kAddressHasHoles), R"(
Address    | PTE Flag   | VMA Flag   | VMA Sym | Page Flags | Count | Owner
0X00010000 | 0X00004000 | 0X00000001 | ..r...  | 0X00000808 |     1 | /a
0X00012000 | 0X00000000 | 0X00000001 | ..r...  | 0X00000808 |     1 | /a
0X00013000 | 0X00000000 | 0X00000001 | ..r...  | 0X00000808 |     1 | /a
)");
}

TEST(PageCount, CountsEachFrameOfRunIfAddressMaskHasHoles) {
  PageCount count;
  fold(kAddressHasHoles, {&count});
  EXPECT_EQ(count.pages(), 3u);
}

/// Each page has a different use count. The last pages repeat some of these counts.
TEST(PageDump, DistinguishesMoreRowKindsThanTwoBytesHold) {
  std::vector<std::uint64_t> counts(70'000);
  std::iota(counts.begin(), counts.end(), 1);
  counts.insert(counts.end(), {70'000, 70'000, 1, 1, 65'534, 65'535, 65'535, 65'536});
  counts.insert(counts.end(), 3000,
                69'999);  // one run that crosses block boundaries of the table
  const std::uint64_t bytes = counts.size() * 4096;
  std::string snapshot = "T: init , 1, 1, 0, 0, 0, 0, 0, 0, 0\n";
  snapshot += fmt::format("V: 10000000, {:08X}, {:08X}, 00000000, 00000412, 00000077, NULL\nM:",
                          0x10000000 + bytes - 1, bytes);
  for (std::uint64_t i = 0; i < counts.size(); ++i)
    snapshot += fmt::format(" {:08X}={:08X}, {}, 00000054 |", 0x10000000 + i * 4096,
                            0x02000000 + i * 4096, counts[i]);
  PageDump dump;
  fold(snapshot + "\n", {&dump});
  std::vector<std::uint64_t> found;
  dump.for_each([&](const PageRows& rows) {
    found.insert(found.end(), rows.pages, dump.kind(rows.kind).count);
  });
  EXPECT_EQ(dump.kinds(), 70'000u);
  EXPECT_TRUE(found == counts) << found.size();
}

}  // namespace
}  // namespace physmem
