// SPDX-License-Identifier: MIT
// Where runs of pages end, found for many entries at once and one by one.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "analyzer/parse/alike_entries.h"

namespace physmem {
namespace {

TEST(RunEnds, AreWhereTheNextPageIsElsewhere) {
  const std::vector<std::uint64_t> va{0x1000, 0x2000, 0x3000, 0x5000, 0x6000, 0x7000, 0x8000};
  const std::vector<std::uint64_t> value{0x1067, 0x2067, 0x4067, 0x5067, 0x6065, 0x7065, 0x6065};
  for (const EntryReader& way : entry_readers())
    for (std::size_t n = 1; n <= va.size(); ++n)
      EXPECT_EQ(way.run_ends(va.data(), value.data(), n, 4096),
                (0b1101110u & ((1u << (n - 1)) - 1)) | 1u << (n - 1))
          << way.name << ": " << n << " entries";
}

TEST(RunEnds, AreTheSameFoundInEachWay) {
  std::mt19937_64 random(7);
  for (std::size_t n = 1; n <= 64; ++n)
    for (int round = 0; round < 50; ++round) {
      const std::uint64_t page = round % 2 == 0 ? 4096 : 65536;
      std::vector<std::uint64_t> va(n, random());
      std::vector<std::uint64_t> value(n, random());
      for (std::size_t i = 1; i < n; ++i) {
        va[i] = va[i - 1] + (random() % 8 == 0 ? 2 * page : page);
        value[i] = value[i - 1] + (random() % 8 == 0 ? random() : page);
      }
      const std::uint64_t expected = entry_readers().front().run_ends(va.data(), value.data(), n, page);
      for (const EntryReader& way : entry_readers())
        ASSERT_EQ(way.run_ends(va.data(), value.data(), n, page), expected) << way.name << ": " << n;
    }
}

}  // namespace
}  // namespace physmem
