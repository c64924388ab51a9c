// SPDX-License-Identifier: MIT
// Each record of version 2, as events of the reader (I4 to I8).
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

TEST(Record, ReadsTheExampleOfTheSpecification) {
  const Reading reading = read(kSample);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.snapshots, 1u);
  EXPECT_EQ(
      reading.events,
      R"(header 2 x86_64 4096 6.1.0 proc time=1763683200000000000 up=86400000000000 hz=100 ram=6160384 mask=FFFFFFFFFF000 pte=0 prot=0 kpf=1 count=0 pages=1 areas=1 hidden=0
counter vm.pgfault=1203344
counter vm.pgmajfault=160
counter psi.memory.some_us=0
counter mem.MemTotal_kB=24641536
counter at.uptime_ns=86400000120000
task "cat" pid=371 mm=173 cpu=1 faults=92,0,0,0 time=0,0 tgid=371 start=8639981 ppid=370 uid=0 group=92,0,0,0 "/user.slice"
vma 55D0C1A00000-55D0C1A01FFF resident=2000 prot=0 flags=1001 "/usr/bin/cat" offset=0 device=FE00000001 inode=1835
counts 2 0 2 0 2 0
page 55D0C1A00000=1A2B3000 2 86C
page 55D0C1A01000=1A2B4000 2 86C
vma 7FFD3E000000-7FFD3E020FFF resident=1000 prot=0 flags=103 "[stack]" offset=0 device=0 inode=0
counts 1 0 0 1 0 1
page 7FFD3E020000=2C0F5000 1 5868
swapped 7FFD3E01F000=0:2A4
task "kswapd0" pid=52 mm=0 cpu=0 faults=0,0,0,0 time=0,12 tgid=52 start=31 ppid=2 uid=0 group=0,0,0,12 "/"
end
)");
}

TEST(Record, GivesNoNotesForAValidSnapshot) {
  const ReadNotes notes = read(kSample).notes;
  EXPECT_FALSE(notes.data_is_missing());
  EXPECT_EQ(notes.unknown_records, 0u);
  EXPECT_TRUE(notes.collector.empty());
}

TEST(Record, AcceptsAllHeaderValues) {
  const std::string text =
      with(kSample, "pte=none, prot=none, flags=kpf, count=mapcount, pages=all, pfn=shown",
           "pte=raw, prot=raw, flags=raw, count=average, colour=blue");
  EXPECT_NE(read(text).events.find("pte=1 prot=1 kpf=0 count=1 pages=1 areas=1 hidden=0"),
            std::string::npos);
  EXPECT_NE(read(with(kSample, "count=mapcount", "count=refs")).events.find("count=2"),
            std::string::npos);
}

TEST(Record, DecodesEscapesInNames) {
  const Reading reading = read(with(kSample, "/usr/bin/cat", R"(/a\054b\174c\134d\012\377)"));
  EXPECT_EQ(reading.error, "");
  EXPECT_NE(reading.events.find(R"("/a,b|c\134d\012\377")"), std::string::npos) << reading.events;
}

TEST(Record, RemovesThePaddingOfNamesButKeepsEscapedBlanks) {
  EXPECT_NE(read(with(kSample, "cat     ", R"(\040cat\040  )")).events.find("task \" cat \""),
            std::string::npos);
}

TEST(Record, AcceptsLowerCaseDigitsAndRepeatedBlanks) {
  const std::string_view entry = "55D0C1A00000=1A2B3000, 2, 0000086C |";
  const Reading reading = read(with(kSample, entry, "55d0c1a00000=1a2b3000,  2,   86c    |"));
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.events, read(kSample).events);
}

TEST(Record, ReadsRawFlagsOfAVma) {
  EXPECT_NE(read(with(kSample, "FE:01, 1835", "FE:01, 1835, 08100073"))
                .events.find("inode=1835 raw=8100073"),
            std::string::npos);
}

// Specified before version 2.8, and never written.
TEST(Record, SkipsFrameRunsOfOldVersions) {
  const std::string text =
      with(kSample, "E: 2, 2, 3, 1, 0", "F: 00000100, 512, 00000400, 0\nE: 2, 2, 3, 1, 1");
  const Reading reading = read(text);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.events, read(kSample).events);
  EXPECT_EQ(reading.notes.unknown_records, 1u);
}

TEST(Record, ReadsTheNumberOfExcludedPages) {
  const Reading reading = read(with(kSample, "E: 2, 2, 3, 1, 0", "E: 2, 2, 3, 1, 0, 17"));
  EXPECT_EQ(reading.error, "");
  EXPECT_NE(reading.events.find("\nend excluded=17\n"), std::string::npos) << reading.events;
  EXPECT_EQ(reading.notes.excluded, 17u);
  EXPECT_FALSE(reading.notes.data_is_missing());
}

TEST(Record, ReadsZeroExcludedPagesAsAWholeSnapshot) {
  const Reading reading = read(with(kSample, "E: 2, 2, 3, 1, 0", "E: 2, 2, 3, 1, 0, 0"));
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.events, read(kSample).events);
  EXPECT_FALSE(reading.notes.data_is_missing());
}

TEST(Record, RecognizesNotesThatMeanMissingData) {
  for (const std::string name : {"areas_hidden", "frame_unreadable", "table_excluded",
                                 "frame_excluded", "name_excluded", "data_excluded", "corrupt"})
    EXPECT_TRUE(
        read(with(kSample, "G: at.", "G: note." + name + "=1\nG: at.")).notes.data_is_missing())
        << name;
}

TEST(Record, SkipsAdditionalFieldsOfATask) {
  EXPECT_EQ(read(with(kSample, "/user.slice", "/user.slice, 17, new")).events,
            read(kSample).events);
}

TEST(Record, CountsUnknownRecords) {
  const Reading reading = read(with(kSample, "T: kswapd0", "Q: 1, 2\nW:\nT: kswapd0"));
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.unknown_records, 2u);
  EXPECT_EQ(reading.events, read(kSample).events);
}

TEST(Record, AddsUpNotesOfTheCollector) {
  const ReadNotes notes =
      read(with(kSample, "G: at.",
                "G: note.task_exited=3, note.in_transit=1\nG: note.in_transit=2\nG: at."))
          .notes;
  EXPECT_EQ(notes.collector,
            (std::map<std::string, std::uint64_t>{{"task_exited", 3}, {"in_transit", 3}}));
  EXPECT_FALSE(notes.data_is_missing())
      << "the file is complete; notes of the collector are reported, not errors";
}

TEST(Record, OmitsNotesThatAreZero) {
  const ReadNotes notes =
      read(with(kSample, "G: at.", "G: note.in_transit=0, note.corrupt=0\nG: at.")).notes;
  EXPECT_TRUE(notes.collector.empty());
  EXPECT_FALSE(notes.data_is_missing());
}

TEST(Record, ReadsEntriesOnContinuationLines) {
  const std::string text = with(kSample, " | 55D0C1A01000=1A2B4000, 2, 0000086C |",
                                " |\n55D0C1A01000=1A2B4000, 2, 0000086C |");
  EXPECT_EQ(read(text).events, read(kSample).events);
}

TEST(Record, AcceptsAVmaWithoutMLine) {
  const std::string area =
      "V: 55D0C1A02000, 55D0C1A02FFF, 00001000, 00000000, 00000000, 00000003, NULL, 00000000, "
      "00:00, 0\n";
  const std::string text =
      with(with(kSample, "V: 7FFD", area + "P: 0, 0, 0, 0, 0, 0\nV: 7FFD"), "E: 2, 2", "E: 2, 3");
  const Reading reading = read(text);
  EXPECT_EQ(reading.error, "");
  EXPECT_NE(reading.events.find("vma 55D0C1A02000-55D0C1A02FFF resident=0 prot=0 flags=3 \"\""),
            std::string::npos);
}

TEST(Record, AcceptsASecondCountOfAVma) {
  const std::string counted = with(with(kSample, "00002000, 00002000", "00002000, 00001000"),
                                   "P: 2, 0, 2, 0, 2, 0", "P: 1, 0, 1, 0, 1, 0");
  EXPECT_NE(read(counted).error, "");
  const Reading reading = read(with(counted, "86C |\nV:", "86C |\nP: 2, 0, 2, 0, 2, 0\nV:"));
  EXPECT_EQ(reading.error, "");
  EXPECT_NE(reading.events.find("counts 1 0 1 0 1 0\npage"), std::string::npos) << reading.events;
  EXPECT_NE(reading.events.find("counts 2 0 2 0 2 0\nvma"), std::string::npos) << reading.events;
}

TEST(Record, AcceptsASecondCountDirectlyAfterTheFirst) {
  const std::string area =
      "V: 00010000, 00011FFF, 00002000, 00001000, 00000000, 00000003, NULL, 00000000, 00:00, 0\n";
  const std::string head = std::string(kHeaderLine) + std::string(kTaskLine) + area;
  const std::string both = "P: 1, 0, 0, 1, 0, 0\nP: 0, 0, 0, 0, 0, 0\n";
  EXPECT_EQ(read(head + both + "E: 1, 1, 0, 0, 0\n").error, "") << "M: and S: without entries";
  EXPECT_EQ(read(with(head, "pages=all", "pages=none") + both + "E: 1, 1, 1, 0, 0\n").error,
            "s.txt:5:1: P: found a second one for the same area")
      << "the snapshot lists no entries that it could describe";
}

TEST(Record, ReadsSeveralSnapshotsOfOneFile) {
  const Reading reading = read(std::string(kSample) + std::string(kSample));
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.snapshots, 2u);
  EXPECT_EQ(reading.events, read(kSample).events + read(kSample).events);
}

TEST(Record, AcceptsA32BitMachineWithLargePages) {
  const std::string text =
      "H: 2, arch=ppc, page_size=65536, kernel=5, collector=crash, time_ns=0, uptime_ns=0, hz=100, "
      "ram_pages=9, phys_mask=FFFF0000\n" +
      std::string(kTaskLine) +
      "V: 00010000, 0002FFFF, 00020000, 00010000, 00000000, 00000003, NULL, 00000000, 00:00, 0\n"
      "P: 1, 0, 0, 1, 0, 0\nM: 00020000=7FFF0000, 1, 00000000 |\nE: 1, 1, 1, 0, 0\n";
  EXPECT_EQ(read(text).error, "");
}

}  // namespace
}  // namespace physmem
