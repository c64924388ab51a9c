// SPDX-License-Identifier: MIT
// Memory of each executable unit over all processes (I16, I23), and its residency maps (I15).
#include "analyzer/analyze/process/unit_totals.h"

#include <gtest/gtest.h>

#include "analyzer/analyze/process/unit_map.h"
#include "analyzer/shape/map_shape.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// One line per unit: physical and virtual pages of bss, data and text, then processes, resident,
/// unique and proportional pages.
std::string totals_of(const std::string& maps) {
  UnitTotals totals;
  fold(maps_snapshot(maps), {&totals});
  std::string text = "\n";
  for (const UnitTotalsRow& row : totals.rows())
    text +=
        fmt::format("{} {}+{}+{} of {}+{}+{}, {} processes, resident {}, unique {}, share {:.2f}\n",
                    row.unit.text(), row.physical.bss, row.physical.data, row.physical.text,
                    row.virtual_pages.bss, row.virtual_pages.data, row.virtual_pages.text,
                    row.processes, row.resident, row.unique, row.share.pages());
  return text;
}

constexpr const char* kTwo = R"(
process a 1
400000-402000 r-xpX 0 10 /bin/a : f1 f1
402000-403000 rw-p 0 0 - : a1
1000000-1002000 rw-p 0 0 [heap] : a1 a1
10000000-10004000 r-xp 0 20 /lib/a.so : f2@10 f2@11 f1 .
10004000-10006000 rw-p 4000 20 /lib/a.so : a1 .
10006000-10008000 rw-p 0 0 - : a1 a1
20000000-20001000 r--p 0 9 /data : f1
process b 2
10000000-10004000 r-xp 0 20 /lib/a.so : f2@10 f2@11 . .
10004000-10006000 rw-p 4000 20 /lib/a.so : a1 a1
10006000-10009000 rw-p 0 0 - : . . a1
)";

TEST(UnitTotals, CountsSharedFramesOnceAndBssWithItsUnit) {
  EXPECT_EQ(totals_of(kTwo), R"(
/lib/a.so 3+3+3 of 3+2+4, 2 processes, resident 11, unique 7, share 9.00
/bin/a 1+0+2 of 1+0+2, 1 processes, resident 3, unique 3, share 3.00
)");
}

TEST(UnitTotals, IdentifiesUnitByFile) {
  EXPECT_EQ(totals_of(R"(
process a 1
10000000-10001000 r-xp 0 20 /lib/a.so : f2@10
process b 2
10000000-10001000 r-xp 0 20 /mnt/lib/a.so : f2@10
20000000-20001000 r-xp 0 21 /lib/a.so : f1@12
)"),
            R"(
/lib/a.so 0+0+1 of 0+0+1, 2 processes, resident 2, unique 0, share 1.00
/lib/a.so 0+0+1 of 0+0+1, 1 processes, resident 1, unique 1, share 1.00
)");
}

std::string unit_maps_of(const std::string& maps) {
  UnitMap map;
  fold(maps_snapshot(maps), {&map});
  std::string text = "\n";
  map.for_each([&](const UnitSegment& s) { text += segment_heading(s) + "\n"; },
               [&](const UnitSegment&, const MapLine& l) {
                 text += l.cells.substr(0, l.cells.find_last_not_of(' ') + 1) + "\n";
               });
  return text;
}

TEST(UnitMap, ShowsMappingsPerFrameNotNumberOfCopies) {
  EXPECT_EQ(unit_maps_of(kTwo), R"(
/bin/a .Xr.x. 2 pages, 2 resident, in 1 process
11
/bin/a .Xrw.B 1 page, 1 resident, in 1 process
1
/lib/a.so ..r.x. 4 pages, 3 resident, in 2 processes
221.
/lib/a.so ..rw.. 2 pages, 2 resident, in 2 processes
11
/lib/a.so ..rw.B 3 pages, 3 resident, in 2 processes
111
)");
}

TEST(UnitMap, PrintsHashForTenOrMoreMappings) {
  std::string maps;
  for (int i = 1; i <= 12; ++i)
    maps += fmt::format("process p{} {}\n1000-3000 r-xp 0 20 /lib/a.so : {} f12@10\n", i, i,
                        i <= 9 ? "f9@11" : ".");
  EXPECT_EQ(unit_maps_of(maps), "\n/lib/a.so ..r.x. 2 pages, 2 resident, in 12 processes\n9#\n");
}

TEST(UnitMap, SeparatesSegmentsWithSamePermissionsByFileOffset) {
  EXPECT_EQ(unit_maps_of(
                "process a 1\n1000-2000 r--p 0 20 /lib/a.so : f1\n2000-3000 r-xp 1000 20 /lib/a.so "
                ": f1\n3000-4000 r--p 2000 20 /lib/a.so : .\n"),
            R"(
/lib/a.so ..r... 1 page, 1 resident, in 1 process
1
/lib/a.so ..r.x. 1 page, 1 resident, in 1 process
1
/lib/a.so ..r... 1 page, 0 resident, in 1 process
.
)");
}

}  // namespace
}  // namespace physmem
