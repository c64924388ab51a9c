// SPDX-License-Identifier: MIT
// Regions of libraries, of single pages, and of version 1.
#include <gtest/gtest.h>

#include "analyzer/analyze/process/basic.h"
#include "tests/unit/analyze/region_text.h"

namespace physmem {
namespace {

TEST(LibraryRegion, ClassifiesModernLayout) {
  EXPECT_EQ(regions_of(R"(
400000-401000 r-xpX 0 10 /bin/cat
7F0000000000-7F0000026000 r--p 0 20 /lib/libc.so.6
7F0000026000-7F000017B000 r-xp 26000 20 /lib/libc.so.6
7F000017B000-7F00001D0000 r--p 17B000 20 /lib/libc.so.6
7F00001D0000-7F00001D4000 r--p 1CF000 20 /lib/libc.so.6
7F00001D4000-7F00001D6000 rw-p 1D3000 20 /lib/libc.so.6
7F00001D6000-7F00001E3000 rw-p 0 0 -
)"),
            R"(
400000 .Xr.x. application text
7F0000000000 ..r... library text / library data
7F0000026000 ..r.x. library text
7F000017B000 ..r... library text / library data
7F00001D0000 ..r... library text / library data
7F00001D4000 ..rw.. library data
7F00001D6000 ..rw.B library bss
)");
}

TEST(LibraryRegion, IdentifiesUnitByFileNotPath) {
  EXPECT_EQ(
      regions_of("10000000-10001000 r--p 0 20 /lib/a.so\n10001000-10002000 r-xp 0 20 /mnt/a.so\n"),
      "\n10000000 ..r... library text / library data\n10001000 ..r.x. library text\n");
}

TEST(LibraryRegion, ClassifiesAreaAfterDataFileAsHeap) {
  EXPECT_EQ(regions_of("10000000-10001000 rw-p 0 9 /var/data\n10001000-10002000 rw-p 0 0 -\n"),
            "\n10000000 ..rw.. mapped file\n10001000 ..rw.B heap\n");
}

TEST(LibraryRegion, CountsEachPageOnceInTotal) {
  Basic basic;
  fold(maps_snapshot(R"(
process cat 7
10000000-10004000 r--p 0 20 /lib/a.so : f3 a1 f2 z0
10004000-10008000 r-xp 4000 20 /lib/a.so : f3 a1 h1 n0
)"),
       {&basic});
  const RegionPages& pages = basic.rows().at(0).physical;
  EXPECT_EQ(pages.of(Region::kLibText), 4u)
      << "f3 f2 f3, and the private copy in the executable area";
  EXPECT_EQ(pages.of(Region::kLibData), 1u) << "written before the area was protected (RELRO)";
  EXPECT_EQ(pages.of(Region::kSpecial), 3u) << "zero page, hugetlb, no struct page";
  EXPECT_EQ(PaperColumns(pages).total(), 5u) << "the kernel's Rss";
}

TEST(LibraryRegion, ClassifiesAnonymousAreasOfVersion1AsLibraryBssOrHeap) {
  RegionText regions;
  fold(R"(T: init , 1, 1, 0, 0, 0, 0, 0, 0, 0
V: 0FE94000, 0FE94FFF, 00001000, 00000000, 00000412, 00000075, /lib/libc-2.2.5.so
V: 0FE95000, 0FE95FFF, 00001000, 00000000, 00000412, 00000077, /lib/libc-2.2.5.so
V: 0FE96000, 0FE96FFF, 00001000, 00000000, 00000412, 00000077, NULL
V: 10000000, 10000FFF, 00001000, 00000000, 00000412, 00001875, /sbin/init
V: 10001000, 10001FFF, 00001000, 00000000, 00000412, 00001877, /sbin/init
V: 10002000, 10002FFF, 00001000, 00000000, 00000412, 00000077, NULL
V: 7FFFF000, 7FFFFFFF, 00001000, 00000000, 00000412, 00000177, NULL
)",
       {&regions});
  EXPECT_EQ("\n" + regions.text, R"(
FE94000 ..r.x. library text
FE95000 ..rwx. library data
FE96000 ..rwxB library bss
10000000 .Xr.x. application text
10001000 .Xrwx. application data
10002000 .XrwxB heap
7FFFF000 S.rwx. stack
)");
}

}  // namespace
}  // namespace physmem
