// SPDX-License-Identifier: MIT
// Any text comes back from the compact form, whatever the pieces in which it was written and read.
#include <gtest/gtest.h>

#include <random>

#include "tests/property/snapshot_writing.h"
#include "tests/unit/compact/compact_text.h"

namespace physmem {
namespace {

class CompactForm : public testing::Test {
 protected:
  /// Calls check(seed) for many seeds; the first that fails is named and ends the test.
  template <class Check>
  void for_many(std::uint64_t rounds, Check check) {
    for (std::uint64_t seed = first_seed(); seed < first_seed() + rounds && !HasFailure(); ++seed) {
      SCOPED_TRACE("PHYSMEM_PROPERTY_SEED=" + std::to_string(seed));
      check(seed);
    }
  }
  static void expect_same(const std::string& text, std::mt19937_64& random) {
    const std::string compact = compact_of(text, 1 + random() % 3000);
    const Decoded decoded = text_of(compact, 1 + random() % 70000, 1 + random() % 300);
    EXPECT_EQ(decoded.error, "");
    EXPECT_TRUE(decoded.text == text);
  }
};

TEST_F(CompactForm, OfSnapshotsGivesThemBack) {
  for_many(40, [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string text = emitted(random_snapshot(seed));
    if (seed % 3 == 0) text += emitted(random_snapshot(seed)) + emitted(random_snapshot(seed + 1));
    if (seed % 5 == 0) text += as_version_1(random_snapshot(seed, Version::k1));
    expect_same(text, random);
  });
}

TEST_F(CompactForm, OfDamagedSnapshotsGivesThemBack) {
  for_many(40, [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string text = emitted(random_snapshot(seed));
    for (std::uint64_t n = 1 + random() % 50; n != 0; --n) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text[at] = static_cast<char>(random());
      else if (random() % 2 == 0)
        text.erase(at, random() % 60);
      else
        text.insert(at, text.substr(random() % text.size(), random() % 200));
    }
    expect_same(text, random);
  });
}

TEST_F(CompactForm, OfRandomPiecesOfLinesGivesThemBack) {
  constexpr const char* kPieces[] = {"M:",
                                     "S:",
                                     "T: ",
                                     "V: ",
                                     "H: 2",
                                     "\n",
                                     ", ",
                                     " |",
                                     "=",
                                     ":",
                                     "00001000",
                                     "0000F000",
                                     "FFFFFFFFF000",
                                     "1",
                                     "0",
                                     ", page_size=65536",
                                     " 00001000=00002000, 1, 00000001 |",
                                     " 00002000=00003000, 1, 00000001 |",
                                     " 00001000=0:00000007 |",
                                     "name",
                                     "\r",
                                     " "};
  for_many(60, [&](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string text;
    for (std::uint64_t n = random() % 3000; n != 0; --n) text += kPieces[random() % std::size(kPieces)];
    expect_same(text, random);
  });
}

TEST_F(CompactForm, OfRandomBytesGivesThemBack) {
  for_many(20, [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string text(random() % 100000, '\0');
    for (char& c : text) c = static_cast<char>(random());
    expect_same(text, random);
  });
}

TEST_F(CompactForm, WithAByteChangedIsAnError) {
  for_many(40, [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::string text = emitted(random_snapshot(seed));
    const std::string good = compact_of(text);
    for (int i = 0; i < 20; ++i) {
      std::string bad = good;
      const std::size_t at = compact::kFamily + random() % (bad.size() - compact::kFamily);
      bad[at] = static_cast<char>(bad[at] + 1 + static_cast<int>(random() % 255));
      EXPECT_NE(text_of(bad).error, "") << "byte " << at;
    }
  });
}

}  // namespace
}  // namespace physmem
