// SPDX-License-Identifier: MIT
// The rules of analyzer/model/region.h, in their order: how an area determines the region of its
// pages.
#include <gtest/gtest.h>

#include "tests/unit/analyze/region_text.h"

namespace physmem {
namespace {

TEST(Region, ClassifiesModernProgram) {
  EXPECT_EQ(regions_of(R"(
400000-401000 r--pX 0 10 /bin/cat
401000-403000 r-xpX 1000 10 /bin/cat
403000-404000 r--pX 3000 10 /bin/cat
404000-405000 r--pX 3000 10 /bin/cat
405000-406000 rw-pX 4000 10 /bin/cat
406000-408000 rw-p 0 0 -
1000000-1021000 rw-p 0 0 [heap]
)"),
            R"(
400000 .Xr... application text / application data
401000 .Xr.x. application text
403000 .Xr... application text / application data
404000 .Xr... application text / application data
405000 .Xrw.. application data
406000 .Xrw.B application bss
1000000 .Xrw.B heap
)");
}

TEST(Region, ClassifiesIsolatedAnonymousAreaAsHeap) {
  EXPECT_EQ(regions_of("400000-401000 r-xpX 0 10 /bin/cat\n500000-501000 rw-p 0 0 -\n"), R"(
400000 .Xr.x. application text
500000 ..rw.B heap
)");
}

TEST(Region, ClassifiesStackByLabelOrGrowsDownFlag) {
  EXPECT_EQ(regions_of("7FF000000000-7FF000021000 rw-pS 0 0 [stack]\n"),
            "\n7FF000000000 S.rw.. stack\n");
  EXPECT_EQ(regions_of("7FF000000000-7FF000021000 rw-p 0 0 [stack]\n"),
            "\n7FF000000000 ..rw.. stack\n");
  EXPECT_EQ(regions_of("7FF000000000-7FF000021000 rw-pS 0 0 -\n"), "\n7FF000000000 S.rw.. stack\n");
  EXPECT_EQ(regions_of("7F0000000000-7F0000021000 rw-p 0 0 [anon:stack_and_tls:12]\n"),
            "\n7F0000000000 ..rw.. stack\n");
}

TEST(Region, ClassifiesAreaAfterGuardAsThreadStack) {
  EXPECT_EQ(
      regions_of("7F0001000000-7F0001001000 ---p 0 0 -\n7F0001001000-7F0001801000 rw-p 0 0 -\n"
                 "thread cat 8\n"),
      "\n7F0001000000 ...... heap\n7F0001001000 ..rw.. stack\n");
}

// With one other thread, the larger of two such areas is its stack.
TEST(UnitLabel, CannotBeThePathOfAnotherFile) {
  const std::uint64_t device = std::uint64_t{254} << 32 | 1;
  const std::string label = unit_label("/lib/x", {{device, 11}, {}}, false);
  EXPECT_EQ(label, "/lib/x (device 254:1, inode 11)");
  EXPECT_EQ(unit_label("/lib/x", {{device, 11}, {}}, true), "/lib/x");
  EXPECT_EQ(unit_label(label, {{device, 12}, {}}, true), label + " (device 254:1, inode 12)");
}

TEST(Region, HasNoMoreThreadStacksThanOtherThreads) {
  const std::string maps =
      "7F0001000000-7F0001001000 ---p 0 0 -\n7F0001001000-7F0001011000 rw-p 0 0 -\n"
      "7F0002000000-7F0002001000 ---p 0 0 -\n7F0002001000-7F0002801000 rw-p 0 0 -\n";
  EXPECT_EQ(regions_of(maps + "thread cat 8\n"),
            "\n7F0001000000 ...... heap\n7F0001001000 ..rw.B heap\n"
            "7F0002000000 ...... heap\n7F0002001000 ..rw.. stack\n");
}

TEST(Region, ClassifiesAreaAfterLargeReservationAsHeap) {
  EXPECT_EQ(
      regions_of("7F0001000000-7F0001011000 ---p 0 0 -\n7F0001011000-7F0001801000 rw-p 0 0 -\n"),
      "\n7F0001000000 ...... heap\n7F0001011000 ..rw.B heap\n");
}

TEST(Region, ClassifiesMallocArenaAfterGuardLikeAreaAsHeap) {
  EXPECT_EQ(
      regions_of("7F0003FFF000-7F0004000000 ---p 0 0 -\n7F0004000000-7F0004021000 rw-p 0 0 -\n"),
      "\n7F0003FFF000 ...... heap\n7F0004000000 ..rw.B heap\n");
}

TEST(Region, ClassifiesMemfdShmAndSharedAnonymousAsSharedMemory) {
  EXPECT_EQ(regions_of(R"(
10000000-10001000 rw-s 0 5 /memfd:buffer (deleted)
20000000-20001000 rw-s 0 6 /dev/shm/segment
30000000-30001000 rw-s 0 7 /SYSV00000000 (deleted)
40000000-40001000 rw-s 0 8 /dev/zero (deleted)
50000000-50001000 rw-s 0 0 -
60000000-60001000 rw-s 0 0 [anon_shmem:pool]
)"),
            R"(
10000000 ..rw.. shared memory
20000000 ..rw.. shared memory
30000000 ..rw.. shared memory
40000000 ..rw.. shared memory
50000000 ..rw.. shared memory
60000000 ..rw.. shared memory
)");
}

TEST(Region, ClassifiesAnonymousCodeAsApplicationText) {
  EXPECT_EQ(regions_of("10000000-10001000 r-xp 0 0 -\n10001000-10002000 r-xp 0 0 "
                       "[anon:jit]\n20000000-20001000 rwxp 0 0 -\n"),
            "\n10000000 ..r.x. application text\n10001000 ..r.x. application text\n20000000 ..rwxB "
            "heap\n");
}

TEST(Region, ClassifiesCodeOfKernelAsLibraryText) {
  EXPECT_EQ(regions_of("7FFE00000000-7FFE00002000 r-xp 0 0 [vdso]\n"),
            "\n7FFE00000000 ..r.x. library text\n");
  EXPECT_EQ(regions_of("FFFF0000-FFFF1000 r-xp 0 0 [vectors]\n"),
            "\nFFFF0000 ..r.x. library text\n")
      << "32-bit ARM";
}

TEST(Region, ClassifiesDataOfKernelAsSpecial) {
  EXPECT_EQ(regions_of("7FFD00000000-7FFD00004000 r--p 0 0 [vvar]\n7FFE00000000-7FFE00004000 r--p "
                       "0 0 [vvar_vclock]\n"),
            "\n7FFD00000000 ..r... special\n7FFE00000000 ..r... special\n");
  EXPECT_EQ(regions_of("FFFFFFFFFF600000-FFFFFFFFFF601000 --xp 0 0 [vsyscall]\n"),
            "\nFFFFFFFFFF600000 ....x. special\n");
}

TEST(Region, ClassifiesUnknownLabelAsUnexplained) {
  EXPECT_EQ(regions_of("10000000-10001000 rw-p 0 0 [something new]\n"),
            "\n10000000 ..rw.. unexplained\n");
}

TEST(Region, ClassifiesFileWithoutNameByInodeOrAsMappedFile) {
  EXPECT_EQ(regions_of(R"(
400000-401000 r-xpX 0 10 /bin/cat
10000000-10001000 r-xp 0 11 [name not in dump]
10001000-10002000 rw-p 1000 11 [name not in dump]
10002000-10003000 rw-p 0 0 -
20000000-20001000 rw-p 0 12 [path too long]
30000000-30001000 rw-p 0 0 [name not in dump]
)"),
            R"(
400000 .Xr.x. application text
10000000 ..r.x. library text
10001000 ..rw.. library data
10002000 ..rw.B library bss
20000000 ..rw.. mapped file
30000000 ..rw.. mapped file
)");
}

TEST(Region, ClassifiesDataFileAsMappedFile) {
  EXPECT_EQ(
      regions_of(
          "10000000-10001000 r--p 0 9 /usr/lib/locale/C.utf8/LC_CTYPE\n20000000-20001000 rw-s 0 "
          "11 /var/lib/db\n"),
      "\n10000000 ..r... mapped file\n20000000 ..rw.. mapped file\n");
}

TEST(Region, ClassifiesDeletedFileAsBeforeDeletion) {
  EXPECT_EQ(regions_of("400000-401000 r-xpX 0 10 /bin/cat (deleted)\n401000-402000 rw-pX 1000 10 "
                       "/bin/cat (deleted)\n"),
            "\n400000 .Xr.x. application text\n401000 .Xrw.. application data\n");
}

}  // namespace
}  // namespace physmem
