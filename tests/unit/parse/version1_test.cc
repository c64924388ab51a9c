// SPDX-License-Identifier: MIT
// Version 1, the paper's format. samples/figure1.txt holds Figure 1 as printed.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

std::string figure1() {
  std::ifstream file(PHYSMEM_FIGURE1);
  EXPECT_TRUE(file) << PHYSMEM_FIGURE1;
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr std::string_view kInit =
    R"(T: init , 1, c018c0a0, 0, 392597, 160, 69857, 174569, 8771, 30193
V: 0FFC8000, 0FFCCEFF, 00005000, 00004000, 00000412, 00000077, NULL
P: 4, 0, 3, 4, 0
M: 0FFC8000=02860692, 1, 000220D4 | 0FFC9000=02819492, 1, 000000D4 | 0FFCA000=02792092, 1, 00000054 |
0FFCB000=01D3E5D2, 1, 000020C4 |
)";

TEST(Version1, ReadsFigure1AsPrinted) {
  const Reading reading = read(figure1());
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.snapshots, 1u);
  EXPECT_EQ(reading.notes.elided, 3u) << "lines `...`";
  EXPECT_EQ(reading.notes.wrong_counts, 0u);
  EXPECT_TRUE(reading.notes.data_is_missing());
  EXPECT_TRUE(reading.events.starts_with(
      R"(header 1  4096   time=0 up=0 hz=100 ram=0 mask=FFFFF000 pte=1 prot=1 kpf=0 count=2 pages=1 areas=1 hidden=0
task "swapper" pid=0 mm=0 cpu=0 faults=0,0,0,0 time=0,39626
task "init" pid=1 mm=C018C0A0 cpu=0 faults=392597,160,69857,174569 time=8771,30193
vma FE94000-FFB0FFF resident=5D000 prot=412 flags=75 "/lib/libc-2.2.5.so" offset=0 device=0 inode=0
counts 93 0 93 0 93 0
page FE94000=2876012 22 420CC
)")) << reading.events;
  EXPECT_TRUE(reading.events.ends_with("page FC55000=25AE292 1 2050\nelided\nend\n"));
}

TEST(Version1, DerivesAMisprintedLastAddressFromTheSize) {
  EXPECT_NE(read(kInit).events.find("vma FFC8000-FFCCFFF "), std::string::npos);
}

TEST(Version1, ReadsWrappedMappings) {
  const Reading reading = read(kInit);
  EXPECT_EQ(reading.error, "");
  EXPECT_TRUE(
      reading.events.ends_with("page FFCA000=2792092 1 54\npage FFCB000=1D3E5D2 1 20C4\nend\n"))
      << reading.events;
}

TEST(Version1, CountsVmasWithMismatchedCounts) {
  const Reading reading = read(with(kInit, "0FFCB000=01D3E5D2, 1, 000020C4 |\n", ""));
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.wrong_counts, 1u);
}

TEST(Version1, ReadsAPathWithACommaToTheEndOfTheLine) {
  EXPECT_NE(read(with(kInit, "NULL", "/tmp/a, b")).events.find("\"/tmp/a, b\""), std::string::npos);
}

TEST(Version1, AcceptsEmptyLinesAndAMissingFinalNewline) {
  std::string text = "\n" + std::string(kInit) + "\n\n";
  text.erase(0, 1);
  EXPECT_EQ(read(text).events, read(kInit).events);
  text = kInit;
  text.pop_back();
  EXPECT_EQ(read(text).events, read(kInit).events);
}

TEST(Version1, RejectsAFileTruncatedWithinAMapping) {
  for (std::size_t cut = 2; cut < 32; ++cut) {
    const Reading reading = read(kInit.substr(0, kInit.size() - cut));
    EXPECT_NE(reading.error, "") << "without its last " << cut << " bytes";
  }
}

TEST(Version1, RejectsExtraFieldsOfATask) {
  EXPECT_EQ(read(with(kInit, "30193", "30193, 1")).error,
            R"(s.txt:1:66: T: found ", 1", expected the end of the line)");
}

TEST(Version1, AcceptsRepeatedVmasForEachThread) {
  const Reading reading = read(std::string(kInit) + std::string(kInit));
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.snapshots, 1u);
}

TEST(Version1, AcceptsASnapshotOfVersion2AfterVersion1) {
  const Reading reading = read(std::string(kInit) + std::string(kSample));
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.snapshots, 2u);
  EXPECT_EQ(reading.events, read(kInit).events + read(kSample).events);
}

}  // namespace
}  // namespace physmem
