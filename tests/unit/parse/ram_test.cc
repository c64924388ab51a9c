// SPDX-License-Identifier: MIT
// Z:, O: and R:: what they mean, and what the reader rejects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::HasSubstr;

constexpr std::string_view kRam =
    R"(Z: 1, Normal, 00040000, 262144, 262143, 257120, 131072, 1204, 3541, 4426, 5311
O: 1, file, ext4, FE:01, 8421, 1228800, 1, 7F3A, /usr/lib/libssl.so.3
O: 2, slab, 192, 21, dentry
O: 3, cgroup, 93, dying, /system.slice/backup.service
O: 4, task, 371, 8639981
O: 5, code, load_module+0x9d5
O: 6, mount, FE:02, /srv/my\040files
R: 00000000, 16, hole, 0, 0, 00000000, 0, 00000000
R: 00000010, 91, file, 1, 3, 0000086C, 1, 0000004B
R: 00000100, 512, free, 0, 0, 00000400, 0, 00000009
G: ram.runs=3, ram.frames=619, ram.owners=6
)";
constexpr std::string_view kEnd = "E: 2, 2, 3, 1, 0";

std::string sample_with(std::string_view ram) {
  return with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=kmod,"), kEnd,
              std::string(ram) + std::string(kEnd));
}

std::string error_of(std::string_view from, std::string_view to) {
  return read(sample_with(with(kRam, from, to))).error;
}

TEST(Ram, ReadsZonesOwnersAndRuns) {
  const Reading reading = read(sample_with(kRam));
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.unknown_records, 0u);
  EXPECT_THAT(reading.events, HasSubstr(" ram=2 by=kmod\n"));
  EXPECT_THAT(
      reading.events,
      HasSubstr(
          "zone 1 \"Normal\" 40000 spanned=262144 present=262143 managed=257120 free=131072 "
          "percpu=1204 marks=3541,4426,5311\n"
          "owner 1 kind=0 \"/usr/lib/libssl.so.3\" \"ext4\" device=FE00000001 inode=8421 "
          "bytes=1228800 links=1 build=\"7F3A\" objects=0,0 number=0 dying=0 start=0\n"
          "owner 2 kind=1 \"dentry\" \"\" device=0 inode=0 bytes=0 links=0 build=\"\" "
          "objects=192,21 number=0 dying=0 start=0\n"
          "owner 3 kind=2 \"/system.slice/backup.service\" \"\" device=0 inode=0 bytes=0 links=0 "
          "build=\"\" objects=0,0 number=93 dying=1 start=0\n"
          "owner 4 kind=3 \"\" \"\" device=0 inode=0 bytes=0 links=0 build=\"\" objects=0,0 "
          "number=371 dying=0 start=8639981\n"
          "owner 5 kind=4 \"load_module+0x9d5\" \"\" device=0 inode=0 bytes=0 links=0 build=\"\" "
          "objects=0,0 number=0 dying=0 start=0\n"
          "owner 6 kind=5 \"/srv/my files\" \"\" device=FE00000002 inode=0 bytes=0 links=0 "
          "build=\"\" objects=0,0 number=0 dying=0 start=0\n"
          "ram 0 16 hole owner=0 cgroup=0 0 0 place=0\n"
          "ram 10 91 file owner=1 cgroup=3 86C 1 place=4B\n"
          "ram 100 512 free owner=0 cgroup=0 400 0 place=9\n"));
}

TEST(Ram, ReadsHoldersBeforeTheTasks) {
  const std::string holder = "D: 371, 5, memfd, 00:01, 1034, 16384, 4, /memfd:a (deleted)\n";
  const std::string newer = "D: 371, 6, newkind, FE:01, 7, 4096, -, /x, more\n";
  const Reading reading = read(with(kSample, "T: cat", holder + newer + "T: cat"));
  EXPECT_EQ(reading.error, "");
  EXPECT_THAT(reading.events,
              HasSubstr("holder 371 5 kind=0 1 1034 bytes=16384 pages=4 \"/memfd:a (deleted)\"\n"
                        "holder 371 6 kind=6 FE00000001 7 bytes=4096 pages=- \"/x\"\n"));
  EXPECT_THAT(read(with(kSample, "E: 2", holder + "E: 2")).error,
              HasSubstr("found a descriptor after a task, expected all descriptors before"));
}

TEST(Ram, ReadsAnUnknownClassAsUnknownAndSkipsMoreFields) {
  const Reading reading = read(
      sample_with(with(with(kRam, "512, free", "512, newclass"), "00000009\n", "00000009, 7\n")));
  EXPECT_EQ(reading.error, "");
  EXPECT_THAT(reading.events, HasSubstr("ram 100 512 unknown owner=0"));
}

TEST(Ram, ReadsAnOwnerOfAnUnknownKind) {
  const Reading reading = read(sample_with(with(kRam, "code, load_module+0x9d5", "gpu, 1, 2, 3")));
  EXPECT_EQ(reading.error, "");
  EXPECT_THAT(reading.events, HasSubstr("owner 5 kind=6 "));
}

TEST(Ram, ReadsAMissingBuildIdAsNone) {
  EXPECT_THAT(read(sample_with(with(kRam, "7F3A", "-"))).events, HasSubstr("build=\"\""));
}

TEST(Ram, RejectsRunsThatOverlapOrDescend) {
  EXPECT_EQ(error_of("R: 00000100", "R: 0000006A"),
            "s.txt:22:4: R: first frame: found 0000006A, expected 0000006B or above: runs ascend "
            "and do not overlap");
  EXPECT_EQ(error_of("R: 00000100", "R: 0000006B"), "");
}

TEST(Ram, RejectsEmptyRunsAndFramesBeyondAllMachines) {
  EXPECT_EQ(error_of("91, file", "0, file"),
            "s.txt:21:4: R: frames: found 0 from 00000010 on, expected 1 or more, up to frame "
            "10000000000000");
  EXPECT_THAT(error_of("512, free", "4503599627370497, free"), HasSubstr("R: frames: found"));
  EXPECT_THAT(error_of("512, free", "18446744073709551615, free"), HasSubstr("R: frames: found"));
}

TEST(Ram, RejectsARunWhoseOwnerHasNoLineBefore) {
  EXPECT_EQ(
      error_of("file, 1, 3", "file, 7, 3"),
      "s.txt:21:4: R: owner: found 7, expected an id of an O: line before this line (the last "
      "one is 6)");
  EXPECT_THAT(error_of("file, 1, 3", "file, 1, 9"), HasSubstr("R: owner: found 9"));
}

TEST(Ram, RejectsOwnersWhoseIdsDoNotAscend) {
  EXPECT_EQ(error_of("O: 3, cgroup", "O: 2, cgroup"),
            "s.txt:16:4: O: owner: found 2, expected an id above 2, the last one");
  EXPECT_THAT(error_of("O: 1, file", "O: 0, file"), HasSubstr("O: owner: found 0"));
}

TEST(Ram, RejectsSumsThatAreNotThoseOfTheRecords) {
  EXPECT_EQ(error_of("ram.frames=619", "ram.frames=620"),
            "s.txt:24:1: G: says 3 runs of RAM with 620 frames, 6 owners; the file has 3, 619, 6");
  EXPECT_THAT(error_of("R: 00000100, 512, free, 0, 0, 00000400, 0, 00000009\n", ""),
              HasSubstr("the file has 2, 107, 6"));
  EXPECT_THAT(error_of("ram.owners=6", "ram.owners=4"), HasSubstr("4 owners; the file has"));
}

TEST(Ram, RejectsAnAreaAfterTheRecordsOfRam) {
  EXPECT_THAT(error_of("G: ram.runs", "V: 1000, 1FFF, 1000, 0, 0, 1, NULL, 0, 0:0, 0\nG: ram.runs"),
              HasSubstr("V: "));
}

TEST(Ram, RejectsAZoneAfterOwners) {
  EXPECT_EQ(error_of("O: 2, slab", "Z: 1, DMA, 0, 1, 1, 1, 1, 1, 1, 1, 1\nO: 2, slab"),
            "s.txt:15:1: Z: found a zone after owners or runs, expected all zones before them");
}

TEST(Ram, NamesTheWrongField) {
  EXPECT_THAT(error_of("file, 1, 3", "file, x, 3"),
              HasSubstr(R"(R: owner: found "x", expected a decimal number)"));
  EXPECT_THAT(error_of("93, dying", "93, dead"),
              HasSubstr(R"(O: state: found "dead", expected online or dying)"));
  EXPECT_THAT(error_of("FE:01", "FE01"), HasSubstr("O: device: found"));
  EXPECT_THAT(read(with(kSample, "pages=all,", "pages=all, ram=some,")).error,
              HasSubstr(R"(ram: found "some", expected all, totals or none)"));
}

TEST(Ram, KeepGoingDropsARunAndKeepsTheOthers) {
  const Reading reading =
      read(sample_with(with(kRam, "R: 00000100, 512, free", "R: 00000020, 512, free")), true);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.dropped_lines, 1u);
  EXPECT_THAT(reading.events, HasSubstr("ram 10 91 file"));
}

TEST(Ram, BeginsAgainInTheNextSnapshot) {
  const std::string one = sample_with(kRam);
  const Reading reading = read(one + one);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.snapshots, 2u);
}

}  // namespace
}  // namespace physmem
