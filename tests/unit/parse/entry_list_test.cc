// SPDX-License-Identifier: MIT
// The entries of one M: or S: line, from the text, from threads and from a decoder: which are
// passed on, and where the first error is.
#include "analyzer/parse/entry_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/whole_source.h"

namespace physmem {
namespace {

/// "VA=VALUE" of each page and "VA=TYPE:SLOT" of each swapped one, separated by blanks.
class Entries : public Events {
 public:
  void on_pages(std::span<const PageRun> runs, const PageSums& sums) override {
    std::uint64_t pages = 0;
    for_each_page(runs, 4096, [&](const PageRun& page) {
      text += fmt::format("{:X}={:X} ", page.va, page.value);
      ++pages;
    });
    EXPECT_EQ(pages, sums.pages);
  }
  void on_swapped(std::span<const SwapEntry> entries) override {
    for (const SwapEntry& entry : entries)
      text += fmt::format("{:X}={}:{:X} ", entry.va, entry.type, entry.slot);
  }
  std::string text;
};

/// What the list at the beginning of the source contains, and the error if there is one.
std::string entries_of(ByteSource& source, PredecodedRuns* predecoded = nullptr,
                       const EntryList::Options& options = {}) {
  Header header;
  header.version = 2;
  Vma vma;
  vma.start = 0x10000000;
  vma.last = 0x10FFFFFF;
  RecordLines lines(source, "s", false);
  EntryList list(lines, predecoded, options);
  AreaEntries area(vma, header);
  LineCursor counts("P: 0, 0, 0, 0, 0, 0, 0", true);
  area.read_counts(counts, 1);
  const auto line = lines.peek();
  if (!line || line->kind != RecordLine::Kind::kList) return "no list";
  Entries entries;
  const Status status =
      line->letter() == 'M' ? list.mappings(area, header, entries) : list.swapped(area, entries);
  return entries.text + (status ? "" : status.error().text);
}

std::string entries_of(std::string_view text) {
  const auto source = text_source(text);
  return entries_of(*source);
}

TEST(EntryList, PassesEntriesOnUpToTheEndOfTheList) {
  EXPECT_EQ(entries_of("M: 10000000=00001000, 1, 00000868 | 10001000=00002000, 1, 00000868 |\n"
                       "10005000=00009000, 2, 00000868 |\nV: "),
            "10000000=1000 10001000=2000 10005000=9000 ");
  EXPECT_EQ(entries_of("S: 10000000=0:00000010 | 10001000=1:0000001F |\n"),
            "10000000=0:10 10001000=1:1F ");
}

TEST(EntryList, PassesTheEntriesBeforeAWrongOneOfTheSameBatch) {
  EXPECT_EQ(entries_of("M: 10000000=00001000, 1, 00000868 | 10001000=00002000, 1, 00000868 | "
                       "10001000=00003000, 1, 00000868 | 10002000=00004000, 1, 00000868 |\n"),
            "10000000=1000 10001000=2000 s:1:70: M: virtual address 10001000 does not come after "
            "the entry before it (10000000 to 10FFFFFF)");
  EXPECT_EQ(entries_of("S: 10000000=0:00000010 | 0FFFF000=0:00000011 |\n"),
            "10000000=0:10 s:1:26: S: virtual address 0FFFF000 lies outside its area (10000000 to "
            "10FFFFFF)");
}

TEST(EntryList, PassesTheEntriesBeforeOneThatBreaksTheGrammar) {
  const std::string found =
      entries_of("M: 10000000=00001000, 1, 00000868 | 10001000=x, 1, 00000868 |\n");
  EXPECT_EQ(found.substr(0, 23), "10000000=1000 s:1:46: M");
  EXPECT_EQ(entries_of("S: 10000000=0:00000010 | 10001000=0 |\n"),
            "10000000=0:10 s:1:26: S: found \"10001000=0 \", expected VA=DEVICE:SLOT |");
}

TEST(EntryList, ReportsALineThatTheFileCutsShort) {
  EXPECT_EQ(entries_of("M: 10000000=00001000, 1, 00000868 |"),
            "10000000=1000 s:1:36: the file ends within a line: it was cut short");
  EXPECT_EQ(entries_of("S: 10000000=0:00000010 | 1000"),
            "10000000=0:10 s:1:26: the file ends within a line: it was cut short");
}

/// Runs that a decoder has taken out of the text, at offset 2, after "M:".
class PredecodedEntries : public testing::Test {
 protected:
  void put(std::uint64_t va, std::uint64_t pages) {
    PredecodedRun run;
    run.at = 2;
    run.run.va = va;
    run.run.place = 1;
    run.run.pages = pages;
    run.run.use.count = 1;
    run.run.use.flags = 0x868;
    run.bytes = pages * std::string(" 10000000=00001000, 1, 00000868 |").size();
    predecoded_.put({run});
  }
  std::string read(std::string_view text) {
    const auto source = text_source(text);
    return entries_of(*source, &predecoded_);
  }
  PredecodedRuns predecoded_;
};

TEST_F(PredecodedEntries, ComeBeforeTheTextThatFollowsThem) {
  put(0x10000000, 2);
  EXPECT_EQ(read("M: 10005000=00009000, 2, 00000868 |\n"),
            "10000000=1000 10001000=2000 10005000=9000 ");
}

TEST_F(PredecodedEntries, HaveTheColumnsOfTheirText) {
  put(0x10000000, 2);
  put(0x10001000, 1);
  const std::string error =
      "10000000=1000 10001000=2000 s:1:70: M: virtual address 10001000 does not come after the "
      "entry before it (10000000 to 10FFFFFF)";
  EXPECT_EQ(read("M:\n"), error);
}

TEST_F(PredecodedEntries, CountInTheColumnsOfTheTextThatFollowsThem) {
  put(0x10000000, 1);
  EXPECT_EQ(read("M: 0FFFF000=00009000, 2, 00000868 |\n").substr(0, 38),
            "10000000=1000 s:1:37: M: virtual addre");
}

TEST(EntryList, GivesTheSameEntriesAndErrorsWithThreads) {
  std::string text = "M:";
  for (std::uint64_t i = 0; i < 3000; ++i)
    text += fmt::format(" {:08X}={:08X}, 1, 00000868 |", 0x10000000 + i * 0x1000,
                        0x100000 + i * i * 0x1000);
  const std::string wrong = text + " 10000000=00001000, 1, 00000868 |\n";
  text += '\n';
  for (const std::string& one : {text, wrong}) {
    WholeSource alone(one);
    WholeSource shared(one);
    EXPECT_EQ(entries_of(shared, nullptr, {.jobs = 3, .chunk = 4096}), entries_of(alone));
  }
}

}  // namespace
}  // namespace physmem
