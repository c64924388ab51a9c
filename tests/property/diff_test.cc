// SPDX-License-Identifier: MIT
// --ask diff on random pairs of snapshots: the parts add up to the total.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "analyzer/analyze/diff/snapshot_diff.h"
#include "analyzer/analyze/process/basic.h"
#include "formats/emit/flags.h"
#include "tests/property/snapshot_writing.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr std::uint64_t kDiffRounds = 300;

/// Changes a snapshot as time does: tasks, VMAs and pages disappear, pages move, VMAs are cut at
/// the end. A task keeps a VMA: without any it would be one that was not read.
class Aging {
 public:
  explicit Aging(std::uint64_t seed) : random_(seed ^ 0x5EED) {}

  RandomSnapshot operator()(RandomSnapshot snapshot) {
    std::erase_if(snapshot.tasks, [this](const RandomTask&) { return one_in(8); });
    for (RandomTask& task : snapshot.tasks) {
      std::erase_if(task.areas, [&, kept = task.areas.data()](const RandomArea& area) {
        return &area != kept && one_in(8);
      });
      for (RandomArea& area : task.areas) age(area, snapshot.page_size);
    }
    return snapshot;
  }

 private:
  bool one_in(std::uint64_t n) { return random_() % n == 0; }

  void age(RandomArea& area, std::uint64_t page_size) {
    if (one_in(4) && area.vma.last > area.vma.start + page_size) area.vma.last -= page_size;
    if (one_in(8)) area.vma.offset += page_size;
    std::erase_if(area.pages,
                  [&](const pm_page& page) { return page.va > area.vma.last || one_in(4); });
    std::erase_if(area.swapped, [&](const pm_swap& swap) { return swap.va > area.vma.last; });
    for (pm_page& page : area.pages) {
      if (one_in(3)) page.pte += page_size * 3000;
      if (one_in(3)) page.flags ^= PM_PAGE_ANON;
      if (page.count > 1 && one_in(3)) page.count = 1;
    }
    area.counts = {};
    area.counts.user = area.pages.size();
    area.counts.swapped = area.swapped.size();
    for (const pm_page& page : area.pages) {
      area.counts.single_use += page.count == 1 ? 1 : 0;
      area.counts.shared += page.count > 1 ? 1 : 0;
    }
    area.vma.resident = area.counts.user * page_size;
  }

  std::mt19937_64 random_;
};

class DiffInvariant : public testing::TestWithParam<Version> {
 protected:
  template <class Check>
  void for_many(Check check) {
    const auto text_of = GetParam() == Version::k1 ? as_version_1 : emitted;
    for (std::uint64_t seed = first_seed(); seed < first_seed() + kDiffRounds && !HasFailure();
         ++seed) {
      SCOPED_TRACE("PHYSMEM_PROPERTY_SEED=" + std::to_string(seed));
      RandomSnapshot before = random_snapshot(seed, GetParam());
      RandomSnapshot after = Aging(seed)(before);
      if (seed % 2 == 0) std::swap(before, after);
      SnapshotDiff diff;
      Basic basic_before;
      Basic basic_after;
      fold(text_of(before), {&diff, &basic_before});
      fold(text_of(after), {&diff, &basic_after});
      check(before, after, diff, total_of(basic_before), total_of(basic_after));
    }
  }

  static std::uint64_t total_of(const Basic& basic) {
    std::uint64_t total = 0;
    for (const BasicRow& row : basic.rows()) total += PaperColumns(row.physical).total();
    return total;
  }
};

void expect_same(const Change& a, const Change& b) {
  EXPECT_EQ(a.before, b.before);
  EXPECT_EQ(a.after, b.after);
  EXPECT_EQ(a.swapped_before, b.swapped_before);
  EXPECT_EQ(a.swapped_after, b.swapped_after);
}

TEST_P(DiffInvariant, GainedMinusLostEqualsTheChangeOfRssAtEveryLevel) {
  for_many([](const auto&, const auto&, const SnapshotDiff& diff, std::uint64_t before,
              std::uint64_t after) {
    const Change total = diff.total().change;
    EXPECT_EQ(diff.half_read(), 0u);
    EXPECT_EQ(total.before, before) << "Rss";
    EXPECT_EQ(total.after, after);
    Change of_areas;
    Change of_units;
    std::vector<Change> of_processes(diff.processes().size());
    for (const AreaChange& row : diff.areas()) {
      EXPECT_LE(row.change.kept.pages, std::min(row.change.before, row.change.after));
      EXPECT_EQ(row.change.gained() - row.change.lost(), row.change.after - row.change.before);
      of_areas += row.change;
      of_processes[row.process] += row.change;
    }
    for (const UnitChange& row : diff.units()) {
      EXPECT_LE(row.change.kept.pages, std::min(row.change.before, row.change.after));
      of_units += row.change;
    }
    expect_same(of_areas, total);
    expect_same(of_units, total);
    EXPECT_EQ(of_areas.kept.pages, total.kept.pages);
    EXPECT_LE(of_units.kept.pages, total.kept.pages) << "less what changed its unit";
    for (std::size_t i = 0; i < of_processes.size(); ++i) {
      const Change& row = diff.processes()[i].change;
      expect_same(of_processes[i], row);
      EXPECT_EQ(of_processes[i].kept.pages, row.kept.pages);
      EXPECT_LE(row.kept.copied, std::min(row.kept.moved, row.kept.to_private));
      EXPECT_LE(row.kept.to_private + row.kept.to_shared, row.kept.pages);
    }
  });
}

TEST_P(DiffInvariant, SnapshotDoesNotDifferFromItself) {
  for_many([&](const RandomSnapshot& before, const auto&, const auto&, auto, auto) {
    const std::string text = GetParam() == Version::k1 ? as_version_1(before) : emitted(before);
    SnapshotDiff diff;
    fold(text, {&diff});
    fold(text, {&diff});
    EXPECT_TRUE(diff.total().change.is_none());
    for (const ProcessChange& row : diff.processes()) EXPECT_EQ(row.fate, Fate::kStayed);
    for (const AreaChange& row : diff.areas()) EXPECT_TRUE(row.change.is_none());
    for (const UnitChange& row : diff.units()) EXPECT_EQ(row.distinct_before, row.distinct_after);
  });
}

INSTANTIATE_TEST_SUITE_P(OfVersion, DiffInvariant, testing::Values(Version::k1, Version::k2),
                         [](const auto& version) {
                           return version.param == Version::k1 ? "1" : "2";
                         });

}  // namespace
}  // namespace physmem
