// SPDX-License-Identifier: MIT
// The writer of the profiler's buffer, as it is in the module.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <thread>
#include <vector>

#include "formats/emit/profile_ring.h"

namespace physmem {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr auto kEmpty = static_cast<unsigned long>(PM_PROFILE_EMPTY);

/// A buffer of 4 KiB pages with what another program left in it, and its writer.
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

TEST(ProfileRing, IsEmptyToItsLastLongWhenCleared) {
  const Buffer buffer;
  EXPECT_THAT(buffer.longs, Each(kEmpty));
  EXPECT_EQ(buffer.ring.next, 0u);
}

TEST(ProfileRing, WritesJiffiesMinorMajorAndTimeInThatOrder) {
  Buffer buffer;
  buffer.put(1000, 7, 2, 13);
  buffer.put(1013, 0, 0, 1);
  EXPECT_THAT(buffer.part(0, 12), ElementsAre(1000, 7, 2, 13, 1013, 0, 0, 1, kEmpty, kEmpty, kEmpty, kEmpty));
}

TEST(ProfileRing, GoesOnAtTheBeginningAfterTwelveThousandSamples) {
  Buffer buffer;
  for (unsigned long i = 0; i < PM_PROFILE_SAMPLES; ++i) buffer.put(i, i, i, i);
  EXPECT_EQ(buffer.longs[PM_PROFILE_LONGS - 1], PM_PROFILE_SAMPLES - 1);
  EXPECT_EQ(buffer.ring.next, 0u);
  buffer.put(PM_PROFILE_SAMPLES, 1, 2, 3);
  EXPECT_THAT(buffer.part(0, 5), ElementsAre(PM_PROFILE_SAMPLES, 1, 2, 3, 1));
}

TEST(ProfileRing, NeverUsesTheLongsBehindTheRing) {
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

TEST(ProfileRing, GoesOnWhereItWasWhateverProgramsWriteIntoTheBuffer) {
  Buffer buffer;
  buffer.put(1);
  std::fill(buffer.longs.begin(), buffer.longs.end(), kEmpty / 2);
  buffer.put(2, 3, 4, 5);
  EXPECT_THAT(buffer.part(4, 8), ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(buffer.longs[8], kEmpty / 2);
}

TEST(ProfileRing, FillsPagesOf64KiBToo) {
  std::vector<unsigned long> longs(PM_PROFILE_PAGES * 65536 / sizeof(unsigned long), 0);
  pm_profile_ring ring{longs.data(), longs.size(), 0};
  pm_profile_clear(&ring);
  const pm_profile_sample sample{1, 2, 3, 4};
  for (unsigned long i = 0; i < PM_PROFILE_SAMPLES + 1; ++i) pm_profile_put(&ring, &sample);
  EXPECT_EQ(ring.next, 4u);
  EXPECT_EQ(longs[PM_PROFILE_LONGS], kEmpty);
  EXPECT_EQ(longs.back(), kEmpty);
}

/// Reads as formats/profile-buffer.md says: whole samples have four equal values here.
struct Reading {
  unsigned long whole = 0;
  unsigned long torn = 0;

  void look_at(const unsigned long* sample) {
    const auto load = [&](int i) { return __atomic_load_n(sample + i, __ATOMIC_ACQUIRE); };
    const unsigned long before = load(0);
    const std::array values{load(1), load(2), load(3)};
    if (before == kEmpty || load(0) != before) return;
    whole++;
    if (values != std::array{before, before, before}) torn++;
  }
};

TEST(ProfileRing, GivesAReaderBesideItOnlyWholeSamples) {
  Buffer buffer;
  std::atomic<bool> is_over{false};
  std::atomic<bool> has_read{false};
  Reading reading;
  std::thread reader([&] {
    while (!is_over) {
      reading.look_at(buffer.longs.data());
      if (reading.whole != 0) has_read = true;
    }
  });
  // At least so often, and until the reader had its turn, which a busy machine may give it late.
  for (unsigned long i = 0; i < 300000 || (!has_read && i < 1000000000); ++i) {
    buffer.ring.next = 0;  // all samples at one place
    buffer.put(i, i, i, i);
    if (i % 100 == 0) std::this_thread::yield();
  }
  is_over = true;
  reader.join();
  EXPECT_EQ(reading.torn, 0u);
  EXPECT_GT(reading.whole, 0u);
}

}  // namespace
}  // namespace physmem
