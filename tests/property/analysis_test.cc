// SPDX-License-Identifier: MIT
// Invariants of the analyses on random snapshots: every page is counted exactly once, and every
// total is the sum of its parts.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/analyze/process/basic.h"
#include "analyzer/analyze/process/page_count.h"
#include "analyzer/analyze/process/page_dump.h"
#include "analyzer/analyze/process/summary.h"
#include "analyzer/analyze/process/unit_totals.h"
#include "formats/emit/flags.h"
#include "tests/property/snapshot_writing.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr std::uint64_t kAnalysisRounds = 300;

class Invariant : public testing::TestWithParam<Version> {
 protected:
  /// Folds many random snapshots and calls check(snapshot, analyses).
  template <class... A, class Check>
  void for_many(Check check) {
    for (std::uint64_t seed = first_seed(); seed < first_seed() + kAnalysisRounds && !HasFailure();
         ++seed) {
      SCOPED_TRACE("PHYSMEM_PROPERTY_SEED=" + std::to_string(seed));
      const RandomSnapshot snapshot = random_snapshot(seed, GetParam());
      std::tuple<A...> analyses;
      const std::string text =
          GetParam() == Version::k1 ? as_version_1(snapshot) : emitted(snapshot);
      std::apply([&](A&... a) { fold(text, {&a...}); }, analyses);
      std::apply([&](A&... a) { check(snapshot, a...); }, analyses);
    }
  }
};

/// The row of a task. In version 1 the text has one more row, of a kernel thread.
const BasicRow& row_of(const Basic& basic, const RandomTask& task) {
  for (const BasicRow& row : basic.rows())
    if (row.pid == task.task.pid) return row;
  ADD_FAILURE() << "no row for task " << task.task.pid;
  return basic.rows().front();
}

bool is_outside_rss(const RandomArea& area, const pm_page& page) {
  return (area.unit == "[vvar]" && page.count == 0) ||
         (page.flags & (PM_PAGE_ZERO_PAGE | PM_PAGE_NOPAGE | PM_PAGE_HUGE)) != 0;
}

std::uint64_t sum_of_regions(const RegionPages& pages) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kRegions; ++i) sum += pages.of(static_cast<Region>(i));
  return sum;
}

TEST_P(Invariant, EveryPageOfEveryProcessBelongsToOneRegion) {
  for_many<Basic>([](const RandomSnapshot& snapshot, const Basic& basic) {
    for (const RandomTask& task : snapshot.tasks) {
      std::uint64_t entries = 0;
      std::uint64_t special = 0;
      std::uint64_t pages = 0;
      for (const RandomArea& area : task.areas) {
        entries += area.pages.size();
        pages += (area.vma.last - area.vma.start + 1) / snapshot.page_size;
        for (const pm_page& page : area.pages) special += is_outside_rss(area, page) ? 1 : 0;
      }
      const BasicRow& row = row_of(basic, task);
      EXPECT_EQ(sum_of_regions(row.physical), entries);
      EXPECT_EQ(row.physical.of(Region::kSpecial), special);
      EXPECT_EQ(PaperColumns(row.physical).total(), entries - special) << "the kernel's Rss";
      EXPECT_EQ(sum_of_regions(row.virtual_pages), pages);
    }
  });
}

/// An upper bound for the pages with use count 0 in the library text of one task.
std::uint64_t unused_pages(const RandomSnapshot& snapshot) {
  std::uint64_t pages = 0;
  for (const RandomTask& task : snapshot.tasks)
    for (const RandomArea& area : task.areas)
      pages += static_cast<std::uint64_t>(
          std::count_if(area.pages.begin(), area.pages.end(),
                        [](const pm_page& page) { return page.count == 0; }));
  return pages;
}

TEST_P(Invariant, ColumnsOfFigure2AddUp) {  // I12
  for_many<Basic>([](const RandomSnapshot& snapshot, const Basic& basic) {
    const std::uint64_t unused = unused_pages(snapshot);
    for (const BasicRow& row : basic.rows()) {
      const PaperColumns c(row.physical);
      EXPECT_EQ(c.rw(), c.stack + c.data + c.heap + c.lib_bss + c.lib_data);
      EXPECT_EQ(c.rx(), c.text + c.lib_text);
      EXPECT_EQ(c.total(), c.rw() + c.rx());
      EXPECT_LE(row.single + row.multi, c.lib_text);
      EXPECT_GE(row.single + row.multi + unused, c.lib_text);
    }
  });
}

TEST_P(Invariant, UserSpacePagesEqualTheNumberOfDistinctFrames) {  // I18
  for_many<PageCount, Summary>(
      [](const RandomSnapshot& snapshot, const PageCount& count, const Summary& summary) {
        std::set<std::uint64_t> frames;
        for (const RandomTask& task : snapshot.tasks)
          for (const RandomArea& area : task.areas)
            for (const pm_page& page : area.pages)
              if ((page.flags & (PM_PAGE_ZERO_PAGE | PM_PAGE_NOPAGE)) == 0)
                frames.insert(page.pte / snapshot.page_size);
        EXPECT_EQ(count.pages(), frames.size());
        std::uint64_t sum = 0;
        for (const std::uint64_t pages : summary.regions()) sum += pages;
        EXPECT_EQ(sum, frames.size()) << "the regions of the summary";
      });
}

TEST_P(Invariant, PageDumpListsEachFrameOnceWithTheDataOfItsFirstMapping) {  // I19
  for_many<PageDump>([](const RandomSnapshot& snapshot, const PageDump& dump) {
    using Row = std::tuple<std::uint64_t, std::uint64_t,
                           std::uint64_t>;  // use count, flags of page and entry
    const std::uint64_t flags_known = GetParam() == Version::k1 ? 0 : ~std::uint64_t{0};
    std::map<std::uint64_t, Row> first;
    for (const RandomTask& task : snapshot.tasks)
      for (const RandomArea& area : task.areas)
        for (const pm_page& page : area.pages) {
          const std::uint64_t low_bits = page.pte % snapshot.page_size;
          first.try_emplace(page.pte - low_bits, page.count, page.flags & flags_known, low_bits);
        }
    std::vector<std::pair<std::uint64_t, Row>> rows;
    dump.for_each([&](const PageRows& of) {
      const PageKind kind = dump.kind(of.kind);
      const Row row{kind.count, kind.page_flags & flags_known, kind.pte_flags};
      for (std::uint64_t i = 0; i < of.pages; ++i)
        rows.emplace_back(of.address + i * snapshot.page_size, row);
    });
    EXPECT_EQ(rows, (std::vector<std::pair<std::uint64_t, Row>>(first.begin(), first.end())));
  });
}

TEST_P(Invariant, SharesOfEachPageAddUpToOnePage) {
  for_many<Basic>([](const RandomSnapshot& snapshot, const Basic& basic) {
    std::set<std::uint64_t> frames;
    std::uint64_t mappings = 0;
    for (const RandomTask& task : snapshot.tasks)
      for (const RandomArea& area : task.areas)
        for (const pm_page& page : area.pages) {
          if (is_outside_rss(area, page)) continue;
          frames.insert(page.pte / snapshot.page_size);
          ++mappings;
        }
    PageShare sum;
    for (const BasicRow& row : basic.rows()) sum += row.share;
    const std::uint64_t whole = std::uint64_t{frames.size()} << PageShare::kShift;
    EXPECT_LE(sum.scaled, whole);
    EXPECT_LE(whole - sum.scaled, mappings) << "2^-32 page for each mapping at most";
  });
}

/// Counts the pages of code and data that belong to no unit: generated by the process, or supplied
/// by the kernel.
class UnitlessPages : public Analysis {
 public:
  void on_process(const Process& process) override {
    for (const Area& area : process.areas)
      if ((area.regions.file == Region::kAppText || area.regions.file == Region::kLibText ||
           area.regions.file == Region::kLibData) &&
          !has_file(area.vma))
        pages += area.tally.file.first_seen + area.tally.anon.first_seen;
  }
  std::uint64_t pages = 0;
};

TEST_P(Invariant, UnitTotalsAddUpToTheRegionsOfUnits) {  // I16
  for_many<UnitTotals, Summary, UnitlessPages>([](const RandomSnapshot&, const UnitTotals& totals,
                                                  const Summary& summary,
                                                  const UnitlessPages& unitless) {
    std::uint64_t units = unitless.pages;
    for (const UnitTotalsRow& row : totals.rows()) {
      units += row.physical.total();
      EXPECT_LE(row.physical.total(), row.resident);
      EXPECT_LE(row.unique, row.resident);
    }
    std::uint64_t regions = 0;
    for (const Region region : {Region::kAppBss, Region::kAppData, Region::kAppText,
                                Region::kLibBss, Region::kLibData, Region::kLibText})
      regions += summary.regions()[static_cast<std::size_t>(region)];
    EXPECT_EQ(units, regions);
  });
}

INSTANTIATE_TEST_SUITE_P(OfVersion, Invariant, testing::Values(Version::k1, Version::k2),
                         [](const auto& version) {
                           return version.param == Version::k1 ? "1" : "2";
                         });

}  // namespace
}  // namespace physmem
