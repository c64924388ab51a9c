// SPDX-License-Identifier: MIT
// Time series of processes, regions and areas over several snapshots.
#include "analyzer/analyze/time/leak_search.h"

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <map>
#include <random>

#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// `n` private pages in the shorthand of maps_snapshot.
std::string page_list(std::uint64_t n, const std::string& page = "a1") {
  std::string text;
  for (std::uint64_t i = 0; i < n; ++i) text += " " + page;
  return text;
}

/// An area of `n` pages, all resident.
std::string area(std::uint64_t start, std::uint64_t n, const std::string& backing = "rw-p 0 0 -",
                 const std::string& page = "a1") {
  return fmt::format("{:x}-{:x} {} :{}\n", start, start + (n << 12), backing, page_list(n, page));
}

std::string at_second(std::string_view maps, int second) {
  return with(maps_snapshot(maps), "uptime_ns=1,", fmt::format("uptime_ns={}000000000,", second));
}

/// Snapshots at intervals of one second.
LeakSearch search(std::initializer_list<std::string> series) {
  LeakSearch search(0);
  int second = 100;
  for (const std::string& maps : series) fold(at_second(maps, second++), {&search});
  return search;
}

/// One line per row of the search.
std::string rows_of(const LeakSearch& search) {
  std::string text = "\n";
  for (const LeakRow& row : search.rows()) {
    if (row.is_area)
      text += fmt::format("  {:X}-{:X}", row.start, row.last + 1);
    else
      text += fmt::format("{} {} {}{}", row.process, row.pid, name(row.region),
                          row.is_of_file ? " (file)" : "");
    text += ":";
    for (const double n : row.pages) text += fmt::format(" {}", n);
    text += row.verdict.is_leak() ? fmt::format(", leak of {:.0f}\n", row.verdict.fit.slope) : "\n";
  }
  return text;
}

TEST(LeakSearch, ReportsGrowingHeapAsLeak) {
  const auto heap = [](std::uint64_t n) {
    return "process a 1\n" + area(0x1000, n, "rw-p 0 0 [heap]");
  };
  EXPECT_EQ(rows_of(search({heap(10), heap(110), heap(210), heap(310)})), R"(
a 1 heap: 10 110 210 310, leak of 100
  1000-137000: 10 110 210 310, leak of 100
)");
}

TEST(LeakSearch, DoesNotJudgeSeriesBelowTenSeconds) {
  const auto heap = [](std::uint64_t n) {
    return "process a 1\n" + area(0x1000, n, "rw-p 0 0 [heap]");
  };
  for (const auto& [last, reason] :
       {std::pair(109, LeakReason::kTooShort), std::pair(110, LeakReason::kLeak)}) {
    LeakSearch found;
    for (const auto& [n, second] : {std::pair(100, 100), std::pair(200, 105), std::pair(300, last)})
      fold(at_second(heap(static_cast<std::uint64_t>(n)), second), {&found});
    for (const LeakRow& row : found.rows()) EXPECT_EQ(row.verdict.reason, reason) << last;
  }
}

TEST(LeakSearch, CountsSwappedPages) {
  const auto heap = [](std::uint64_t resident, std::uint64_t swapped) {
    return fmt::format("process a 1\n1000-{:x} rw-p 0 0 [heap] :{}{}\n",
                       0x1000 + ((resident + swapped) << 12), page_list(resident),
                       page_list(swapped, "s"));
  };
  EXPECT_EQ(rows_of(search({heap(100, 0), heap(50, 150), heap(10, 290)})), R"(
a 1 heap: 100 200 300, leak of 100
  1000-12D000: 100 200 300, leak of 100
)");
}

TEST(LeakSearch, CountsUnlistedSharedMemory) {
  const auto shared = [](std::uint64_t resident, std::uint64_t unlisted) {
    const std::string maps = fmt::format("process a 1\n1000-200000 rw-s 0 9 /dev/shm/x :{}\n",
                                         page_list(resident, "f1"));
    const std::string counts = fmt::format("P: {0}, 0, 0, {0}, 0, 0", resident);
    return with(maps_snapshot(maps), counts, fmt::format("{}, {}", counts, unlisted));
  };
  LeakSearch found(0);
  int second = 100;
  for (const std::string& snapshot : {shared(50, 50), shared(20, 180), shared(10, 290)})
    fold(with(snapshot, "uptime_ns=1,", fmt::format("uptime_ns={}000000000,", second++)), {&found});
  EXPECT_EQ(rows_of(found), R"(
a 1 shared memory: 100 200 300, leak of 100
  1000-200000: 100 200 300, leak of 100
)");
}

TEST(LeakSearch, SumsMergedAreasAndContinuesAfterSplit) {
  // Two areas become one when a third is mapped between them. Protecting one page of it makes three
  // areas.
  const std::string two = area(0x100000, 100) + area(0x200000, 50);
  const std::string one = area(0x100000, 306);
  const std::string split =
      area(0x100000, 200) + area(0x1C8000, 1, "r--p 0 0 -") + area(0x1C9000, 261);
  EXPECT_EQ(
      rows_of(search({"process a 1\n" + two, "process a 1\n" + one, "process a 1\n" + split})), R"(
a 1 heap: 150 306 462, leak of 156
  100000-2CE000: 150 306 462, leak of 156
)");
}

TEST(LeakSearch, ReportsLeakMadeOfNewAreas) {
  const auto blocks = [](std::uint64_t n) {
    std::string maps = "process a 1\n";
    for (std::uint64_t i = 0; i < n; ++i) maps += area(0x1000000 * (i + 1), 40);
    return maps;
  };
  const LeakSearch found = search({blocks(1), blocks(3), blocks(5), blocks(7)});
  EXPECT_TRUE(rows_of(found).starts_with("\na 1 heap: 40 120 200 280, leak of 80\n"))
      << rows_of(found);
  for (const LeakRow& row : found.rows()) EXPECT_NE(row.verdict.is_leak(), row.is_area);
}

TEST(LeakSearch, DoesNotReportAreaIfRestOfRegionShrinks) {
  // One area shrinks by as much as another grows: a new area, and an area whose both ends move.
  const auto come = [](std::uint64_t n) {
    return "process a 1\n" + area(0x1000, 501 - n) + (n == 1 ? "" : area(0x1000000, n));
  };
  EXPECT_EQ(rows_of(search({come(1), come(100), come(200), come(300)})), R"(
  1000000-112C000: 0 100 200 300
a 1 heap: 500 501 501 501
  1000-CA000: 500 401 301 201
)");
  const auto move = [](std::uint64_t rest, std::uint64_t n) {
    return "process a 1\n" + area(0x1000, rest - n) + area(0x2000000 - 0x1000 * n, 2 * n);
  };
  EXPECT_EQ(rows_of(search({move(450, 50), move(400, 100), move(350, 150), move(300, 200)})), R"(
  1F38000-20C8000: 100 200 300 400
a 1 heap: 500 500 500 500
  1000-65000: 400 300 200 100
)");
  EXPECT_EQ(rows_of(search({move(500, 50), move(500, 100), move(500, 150), move(500, 200)})), R"(
  1F38000-20C8000: 100 200 300 400, leak of 100
a 1 heap: 550 600 650 700, leak of 50
  1000-12D000: 450 400 350 300
)") << "the region itself leaks";
}

TEST(LeakSearch, ReportsLeakOfFixedAreaAmongMovingAreas) {
  // A heap grows by 30 pages per second next to blocks that come and go. The sum of the region does
  // not grow linearly.
  const auto series = [](std::uint64_t heap, std::uint64_t blocks) {
    return "process a 1\n" + area(0x1000, heap, "rw-p 0 0 [heap]") +
           area(0x2000000 - 0x1000 * blocks, blocks);
  };
  const LeakSearch found = search(
      {series(10, 400), series(40, 100), series(70, 600), series(100, 200), series(130, 500)});
  EXPECT_EQ(rows_of(found), R"(
  1000-83000: 10 40 70 100 130, leak of 30
a 1 heap: 410 140 670 300 630
  1E0C000-2000000: 400 100 600 200 500
)");
}

/// Maps and unmaps blocks as Linux does: at the top of the highest gap that is large enough.
class Blocks {
 public:
  explicit Blocks(unsigned seed) : random_(seed) {
    for (int i = 0; i < 1000; ++i) change();
  }

  void change() {
    Block& block = blocks_[random_() % blocks_.size()];
    if (block.size != 0) {
      mapped_.erase(block.start);
      block.size = 0;
      return;
    }
    block.size = 1 + random_() % 16;
    std::uint64_t top = kTop;
    for (auto it = mapped_.rbegin(); it != mapped_.rend() && top - it->second < block.size; ++it)
      top = it->first;
    block.start = top - block.size;
    mapped_[block.start] = top;
  }

  /// Adjacent blocks form one area.
  Process process() const {
    Process process;
    process.task.comm = "blocks";
    for (const auto& [start, end] : mapped_) {
      if (process.areas.empty() || process.areas.back().vma.last + 1 != start << 12) {
        process.areas.emplace_back().vma.start = start << 12;
        process.areas.back().regions = {Region::kHeap, Region::kHeap};
      }
      process.areas.back().vma.last = (end << 12) - 1;
      process.areas.back().tally.anon.pages += end - start;
    }
    return process;
  }

 private:
  static constexpr std::uint64_t kTop = 1 << 20;
  struct Block {
    std::uint64_t start = 0;  ///< in pages, as all numbers of this class
    std::uint64_t size = 0;
  };
  std::mt19937 random_;
  std::array<Block, 60> blocks_;
  std::map<std::uint64_t, std::uint64_t> mapped_;  ///< start to end
};

TEST(LeakSearch, DoesNotReportBlocksThatComeAndGo) {
  int leaks = 0;
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    Blocks blocks(seed);
    LeakSearch search(0);
    for (std::uint64_t second = 0; second < 13; ++second) {
      Header header;
      header.uptime_ns = (100 + second) * 1'000'000'000;
      header.has_areas = true;
      search.on_header(header);
      search.on_process(blocks.process());
      search.on_end();
      for (unsigned i = 0; i < (seed % 2 == 0 ? 50u : 200u); ++i) blocks.change();
    }
    const std::vector<LeakRow> rows = search.rows();
    ASSERT_FALSE(rows.empty());
    leaks += rows.front().verdict.is_leak() ? 1 : 0;
  }
  EXPECT_EQ(leaks, 0) << "it would be two if each area was judged by itself";
}

TEST(LeakSearch, KeepsLeaksOfEndedProcess) {
  LeakSearch found(0);
  for (int second = 0; second < 30; ++second) {
    std::string maps = "process b 2\n" + area(0x1000, 1);
    const auto n = 100 + 100 * static_cast<std::uint64_t>(second);
    if (second < 4)
      maps += "process a 1\n" + area(0x1000, n, "rw-p 0 0 [heap]") + area(0x4000000, 1);
    if (second < 2) maps += "process c 3\n" + area(0x1000, 50);
    fold(at_second(maps, 100 + second), {&found});
    if (second == 5) {
      EXPECT_EQ(found.rows().size(), 4u) << "reported before the search drops it";
    }
  }
  const std::vector<LeakRow> rows = found.rows();
  ASSERT_EQ(rows.size(), 4u) << "a's region and area, b's";
  for (const LeakRow& row : rows) EXPECT_EQ(row.has_ended, row.process == "a");
  EXPECT_TRUE(rows.front().verdict.is_leak());
  EXPECT_EQ(rows.front().time.back(), 3);
  EXPECT_EQ(found.processes(), 1u);
  EXPECT_EQ(found.ended(), 2u);
  EXPECT_EQ(found.ended_early(), 1u);
}

TEST(LeakSearch, DropsSeriesThatReturnedToZeroOrDidNotLeak) {
  // First an area of a live process, then an ended process that did not leak.
  const auto heap = [](std::uint64_t n) {
    return "process a 1\n" + area(0x1000, n, "rw-p 0 0 [heap]");
  };
  const std::string rest = area(0x4000000, 1, "rw-p 0 0 [stack]");
  EXPECT_EQ(rows_of(search(
                {heap(10) + rest, heap(110) + rest, heap(210) + rest, "process a 1\n" + rest})),
            R"(
a 1 heap: 10 110 210 0
a 1 stack: 1 1 1 1
  4000000-4001000: 1 1 1 1
)");
  EXPECT_EQ(rows_of(search({heap(10), heap(10), heap(10), "process b 2\n" + area(0x1000, 1)})), R"(
b 2 heap: 1
  1000-2000: 1
)");
}

TEST(LeakSearch, ContinuesAfterMissingSample) {
  LeakSearch found(0);
  for (int second = 0; second < 15; ++second) {
    const std::string heap =
        area(0x1000, 10 + 20 * static_cast<std::uint64_t>(second), "rw-p 0 0 [heap]");
    fold(at_second("process b 2\n" + (second == 12 ? "" : "process a 1\n" + heap), 100 + second),
         {&found});
  }
  const std::vector<LeakRow> rows = found.rows();
  ASSERT_FALSE(rows.empty());
  EXPECT_TRUE(rows.front().verdict.is_leak());
  EXPECT_EQ(rows.front().pages.size(), 14u);
  EXPECT_EQ(rows.front().time.back(), 14);
  EXPECT_DOUBLE_EQ(rows.front().verdict.fit.slope, 20);
}

/// Text of version 1: a process with a heap of `n` pages.
std::string heap_of_version_1(int pid, std::uint64_t n) {
  return fmt::format(
      "T: init , {}, c018c0a0, 0, 1, 2, 3, 4, 5, 6\nV: 00001000, {:08X}, {:08X}, {:08X}, "
      "00000412, 00000077, "
      "NULL\nP: {}, 0, 0, {}, 0\nM:\n...\n",
      pid, 0x1000 + (n << 12) - 1, n << 12, n << 12, n, n);
}

TEST(LeakSearch, RestartsAfterGapIfStartTimeIsUnknown) {
  LeakSearch found(0);
  for (const std::uint64_t n : {100, 200, 0, 300, 400})
    fold(n == 0 ? heap_of_version_1(2, 1) : heap_of_version_1(1, n), {&found});
  EXPECT_EQ(rows_of(found), R"(
init 1 heap: 300 400
  1000-191000: 300 400
)");
}

TEST(LeakSearch, RestartsWithAnotherProgram) {
  const auto runs = [](const char* program, int inode, std::uint64_t n) {
    return fmt::format("process a 1\n1000-2000 r-xpX 0 {} {} : f1\n", inode, program) +
           area(0x8000, n, "rw-p 0 0 [heap]");
  };
  EXPECT_EQ(
      rows_of(search({runs("/bin/a", 7, 10), runs("/bin/a", 7, 110), runs("/bin/b", 8, 210)})), R"(
a 1 heap: 210
  8000-DA000: 210
a 1 application text (file): 1
  1000-2000: 1
)");
}

TEST(LeakSearch, JudgesProcessThatStartsLate) {
  const auto series = [](std::uint64_t n) {
    return "process b 2\n" + area(0x1000, 1) + (n == 0 ? "" : "process a 1\n" + area(0x1000, n));
  };
  const LeakSearch found = search({series(0), series(0), series(100), series(300), series(500)});
  EXPECT_EQ(rows_of(found), R"(
a 1 heap: 100 300 500, leak of 200
  1000-1F5000: 100 300 500, leak of 200
b 2 heap: 1 1 1 1 1
  1000-2000: 1 1 1 1 1
)");
  EXPECT_EQ(found.rows().front().time, (std::vector<double>{2, 3, 4}));
}

TEST(LeakSearch, ReportsSharedMemoryButNotFiles) {
  const auto maps = [](std::uint64_t n) {
    return "process a 1\n" + area(0x1000000, n, "r--p 0 9 /data/file", "f1") +
           area(0x2000000, n, "rw-s 0 8 /dev/shm/x", "f2");
  };
  EXPECT_EQ(rows_of(search({maps(100), maps(200), maps(300)})), R"(
a 1 shared memory: 100 200 300, leak of 100
  2000000-212C000: 100 200 300, leak of 100
a 1 mapped file (file): 100 200 300
  1000000-112C000: 100 200 300
)");
}

TEST(LeakSearch, UsesTimeAtWhichEachProcessWasRead) {
  // The stated read time of the second process: 0.5 s after the begin of the first snapshot, and
  // before the begin of the later ones.
  LeakSearch found(0);
  for (int second = 0; second < 4; ++second) {
    const std::string maps = "process a 1\n" + area(0x1000, 100) + "process b 2\n" +
                             area(0x1000, 100 + 100 * static_cast<std::uint64_t>(second));
    const std::string text = at_second(maps, 10 + second * (second + 1));
    fold(with(text, "T: b", fmt::format("G: at.uptime_ns={}500000000\nT: b", 10 + second * second)),
         {&found});
  }
  // No process can be read before its own snapshot begins.
  for (const LeakRow& row : found.rows())
    EXPECT_EQ(row.time, (row.pid == 1 ? std::vector<double>{0, 2, 6, 12}
                                      : std::vector<double>{0.5, 2, 6, 12}));
}

TEST(LeakSearch, CountsSnapshotsIfTimesAreUnknown) {
  LeakSearch found(0);
  for (const std::uint64_t n : {100, 200, 300}) fold(heap_of_version_1(1, n), {&found});
  EXPECT_FALSE(found.has_times());
  EXPECT_EQ(found.span(), 2);
  EXPECT_EQ(rows_of(found), R"(
init 1 heap: 100 200 300, leak of 100
  1000-12D000: 100 200 300, leak of 100
)");
}

/// Snapshots ten seconds apart by the clock. The machine reboots after the first `before` ones.
LeakSearch search_with_reboot(const std::vector<std::uint64_t>& pages, std::size_t before) {
  LeakSearch found(0);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const std::string maps = "process a 1\n" + area(0x1000, pages[i], "rw-p 0 0 [heap]");
    const std::size_t uptime = i < before ? 5000 + 10 * i : 10 * (i - before) + 1;
    const std::string text = at_second(maps, static_cast<int>(uptime));
    const std::size_t at = text.find(" time_ns=");
    const std::size_t end = text.find(',', at);
    fold(text.substr(0, at) + fmt::format(" time_ns={}000000000", 1763683200 + 10 * i) +
             text.substr(end),
         {&found});
  }
  return found;
}

TEST(LeakSearch, DoesNotReportLevelChangeAcrossRebootAsLeak) {
  // The size is constant in each boot, and larger in the second.
  const LeakSearch found = search_with_reboot({100, 100, 300, 300}, 2);
  EXPECT_EQ(rows_of(found), R"(
a 1 heap: 300 300
  1000-12D000: 300 300
)");
  EXPECT_EQ(found.order().breaks(), 1u);
}

TEST(LeakSearch, FindsLeakInBothBoots) {
  const LeakSearch found = search_with_reboot({100, 200, 300, 400, 100, 200, 300, 400}, 4);
  EXPECT_TRUE(found.has_times());
  EXPECT_EQ(found.span(), 70);
  EXPECT_EQ(rows_of(found), R"(
a 1 heap: 100 200 300 400, leak of 10
  1000-191000: 100 200 300 400, leak of 10
a 1 heap: 100 200 300 400, leak of 10
  1000-191000: 100 200 300 400, leak of 10
)");
  EXPECT_EQ(found.rows().front().time, (std::vector<double>{40, 50, 60, 70}));
  EXPECT_TRUE(found.rows().back().has_ended);
}

TEST(LeakSearch, FindsLeakAfterRebootDespiteLargerFirstBoot) {
  // The process has a much larger heap in the first boot.
  const LeakSearch found = search_with_reboot({2000, 2000, 100, 200, 300, 400}, 2);
  EXPECT_EQ(rows_of(found), R"(
a 1 heap: 100 200 300 400, leak of 10
  1000-191000: 100 200 300 400, leak of 10
)");
}

TEST(LeakSearch, CountsSnapshotsIfTimesDoNotAscend) {
  LeakSearch found(0);
  for (const int second : {50, 90, 20})
    fold(at_second("process a 1\n" + area(0x1000, 1), second), {&found});
  EXPECT_FALSE(found.has_times());
}

}  // namespace
}  // namespace physmem
