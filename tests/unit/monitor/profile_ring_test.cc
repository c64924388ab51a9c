// SPDX-License-Identifier: MIT
// The writer of the profiler's buffer, compiled from the module's source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "formats/emit/port.h"

namespace physmem {
/// Called before each store of the writer.
static std::function<void()> before_store = [] {};
}  // namespace physmem

#undef pm_store_release
#define pm_store_release(to, value) \
  (physmem::before_store(), __atomic_store_n(to, value, __ATOMIC_RELEASE))
#include "formats/emit/profile_ring.h"

namespace physmem {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr auto kEmpty = static_cast<unsigned long>(PM_PROFILE_EMPTY);

/// A buffer of 4 KiB pages that is filled with old values, and its writer.
struct Buffer {
  std::vector<unsigned long> longs =
      std::vector<unsigned long>(PM_PROFILE_PAGES * 4096 / sizeof(unsigned long), 4711);
  pm_profile_ring ring{longs.data(), longs.size(), 8};

  Buffer() { pm_profile_clear(&ring); }

  void put(unsigned long jiffies, unsigned long min_flt = 0, unsigned long maj_flt = 0,
           unsigned long cpu = 0) {
    const pm_profile_sample sample{jiffies, min_flt, maj_flt, cpu};
    pm_profile_put(&ring, &sample);
  }
  std::vector<unsigned long> part(std::size_t begin, std::size_t end) const {
    return {longs.begin() + static_cast<std::ptrdiff_t>(begin),
            longs.begin() + static_cast<std::ptrdiff_t>(end)};
  }
};

TEST(ProfileRing, ClearsEveryLong) {
  const Buffer buffer;
  EXPECT_THAT(buffer.longs, Each(kEmpty));
  EXPECT_EQ(buffer.ring.next, 0u);
}

TEST(ProfileRing, WritesJiffiesMinorMajorAndTimeInThatOrder) {
  Buffer buffer;
  buffer.put(1000, 7, 2, 13);
  buffer.put(1013, 0, 0, 1);
  EXPECT_THAT(buffer.part(0, 12),
              ElementsAre(1000, 7, 2, 13, 1013, 0, 0, 1, kEmpty, kEmpty, kEmpty, kEmpty));
}

TEST(ProfileRing, WrapsAfterTwelveThousandSamples) {
  Buffer buffer;
  for (unsigned long i = 0; i < PM_PROFILE_SAMPLES; ++i) buffer.put(i, i, i, i);
  EXPECT_EQ(buffer.longs[PM_PROFILE_LONGS - 1], PM_PROFILE_SAMPLES - 1);
  EXPECT_EQ(buffer.ring.next, 0u);
  buffer.put(PM_PROFILE_SAMPLES, 1, 2, 3);
  EXPECT_THAT(buffer.part(0, 5), ElementsAre(PM_PROFILE_SAMPLES, 1, 2, 3, 1));
}

TEST(ProfileRing, NeverUsesTheLongsAfterTheRing) {
  Buffer buffer;
  for (unsigned long i = 0; i < 2 * PM_PROFILE_SAMPLES + 5; ++i) buffer.put(i);
  EXPECT_THAT(buffer.part(PM_PROFILE_LONGS, buffer.longs.size()), Each(kEmpty));
}

TEST(ProfileRing, NeverWritesAValueThatMeansEmpty) {
  Buffer buffer;
  buffer.put(kEmpty, kEmpty, kEmpty, kEmpty);
  EXPECT_THAT(buffer.part(0, 4), Each(kEmpty - 1));
  buffer.put(kEmpty - 1, std::numeric_limits<long>::max(), 0, 0);
  EXPECT_THAT(buffer.part(4, 8), ElementsAre(kEmpty - 1, std::numeric_limits<long>::max(), 0, 0));
}

TEST(ProfileRing, KeepsItsPositionWhenAProgramOverwritesTheBuffer) {
  Buffer buffer;
  buffer.put(1);
  std::fill(buffer.longs.begin(), buffer.longs.end(), kEmpty / 2);
  buffer.put(2, 3, 4, 5);
  EXPECT_THAT(buffer.part(4, 8), ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(buffer.longs[8], kEmpty / 2);
}

TEST(ProfileRing, WrapsWithPagesOf64KiB) {
  std::vector<unsigned long> longs(PM_PROFILE_PAGES * 65536 / sizeof(unsigned long), 0);
  pm_profile_ring ring{longs.data(), longs.size(), 0};
  pm_profile_clear(&ring);
  const pm_profile_sample sample{1, 2, 3, 4};
  for (unsigned long i = 0; i < PM_PROFILE_SAMPLES + 1; ++i) pm_profile_put(&ring, &sample);
  EXPECT_EQ(ring.next, 4u);
  EXPECT_EQ(longs[PM_PROFILE_LONGS], kEmpty);
  EXPECT_EQ(longs.back(), kEmpty);
}

/// Reads a sample in five steps, as formats/profile-buffer.md specifies. The writer may store
/// between two steps. Each sample that is written here has four equal values.
class Reading {
 public:
  static constexpr int kSteps = 5;

  void step(const unsigned long* sample) {
    const std::size_t at = next_ < 4 ? next_ : 0;
    values_[next_++] = __atomic_load_n(sample + at, __ATOMIC_ACQUIRE);
  }
  bool is_whole() const { return values_[0] != kEmpty && values_[4] == values_[0]; }
  bool is_torn() const {
    return values_[1] != values_[0] || values_[2] != values_[0] || values_[3] != values_[0];
  }
  unsigned long value() const { return values_[0]; }

 private:
  std::size_t next_ = 0;
  std::array<unsigned long, kSteps> values_{};
};

/// Two samples are written over a first one. The reader takes steps[i] steps before the i-th store
/// and the remaining ones after the last store.
Reading reading_between(const std::array<int, 10>& steps) {
  std::array<unsigned long, PM_PROFILE_SAMPLE_LONGS> longs{1, 1, 1, 1};
  Reading reading;
  int done = 0;
  std::size_t store = 0;
  before_store = [&] {
    for (int i = 0; i < steps[store]; ++i, ++done) reading.step(longs.data());
    ++store;
  };
  for (unsigned long value = 2; value <= 3; ++value) {
    pm_profile_ring ring{longs.data(), longs.size(), 0};
    const pm_profile_sample sample{value, value, value, value};
    pm_profile_put(&ring, &sample);
  }
  before_store = [] {};
  EXPECT_EQ(store, steps.size());
  for (; done < Reading::kSteps; ++done) reading.step(longs.data());
  return reading;
}

/// Calls `visit` with each way to put at most `left` steps before the stores from `store` on.
void for_each_order(std::array<int, 10>& steps, std::size_t store, int left,
                    const std::function<void(const std::array<int, 10>&)>& visit) {
  if (store == steps.size()) return visit(steps);
  for (steps[store] = 0; steps[store] <= left; ++steps[store])
    for_each_order(steps, store + 1, left - steps[store], visit);
  steps[store] = 0;
}

TEST(ProfileRing, GivesWholeSamplesInEveryOrderOfLoadsAndStores) {
  std::array<int, 10> steps{};
  std::array<int, 4> whole{};
  int orders = 0;
  for_each_order(steps, 0, Reading::kSteps, [&](const std::array<int, 10>& order) {
    const Reading reading = reading_between(order);
    ++orders;
    if (!reading.is_whole()) return;
    EXPECT_FALSE(reading.is_torn()) << testing::PrintToString(order);
    ++whole[reading.value()];
  });
  EXPECT_EQ(orders, 3003) << "15 steps, of which 5 are loads by the reader";
  EXPECT_THAT(whole, ElementsAre(0, 1, 1, 1))
      << "whole only if no store of another sample comes between its loads";
}

}  // namespace
}  // namespace physmem
