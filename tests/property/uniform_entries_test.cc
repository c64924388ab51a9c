// SPDX-License-Identifier: MIT
// Whoever expects each line and each entry to look like the one before it reads what is read one by
// one, and finds the flaws that are found so. So does who gets entries as runs, from the compact
// form.
#include <gtest/gtest.h>

#include <random>

#include "tests/property/snapshot_writing.h"
#include "tests/unit/compact/compact_text.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr std::uint64_t kAlikeRounds = 100;
constexpr int kChanges = 20;

void expect_the_same(const Reading& reading, const Reading& careful) {
  ASSERT_EQ(reading.error, careful.error);
  ASSERT_TRUE(reading.events == careful.events);
  ASSERT_EQ(reading.notes.dropped_lines, careful.notes.dropped_lines);
  ASSERT_EQ(reading.notes.first_problem, careful.notes.first_problem);
}

void expect_the_same(const std::string& text, bool keep_going) {
  WholeSource source(text);
  const Reading careful = read_from(source, {.keep_going = keep_going, .is_strict = true});
  for (const EntryReader& way : entry_readers()) {
    SCOPED_TRACE(way.name);
    expect_the_same(read(text, keep_going, way), careful);
  }
  SCOPED_TRACE("compact");
  const std::string compact = compact_of(text);
  const auto runs =
      decoded(std::make_unique<PiecewiseSource>(compact, 1 + text.size() % 5000), "s");
  expect_the_same(read_from(**runs, {.keep_going = keep_going}), careful);
}

TEST(ReadersThatExpectTheSameAgain, ReadWhatIsThere) {
  for (std::uint64_t seed = first_seed();
       seed < first_seed() + rounds(kAlikeRounds) && !testing::Test::HasFailure(); ++seed) {
    expect_the_same(emitted(random_snapshot(seed)), false);
    expect_the_same(as_version_1(random_snapshot(seed, Version::k1)), false);
  }
}

/// One byte is another, of those that mean something or of all, is missing, or is there twice.
TEST(ReadersThatExpectTheSameAgain, FindEveryFlaw) {
  for (std::uint64_t seed = first_seed();
       seed < first_seed() + rounds(kAlikeRounds) && !testing::Test::HasFailure(); ++seed) {
    std::mt19937_64 random(seed);
    const std::string good = emitted(random_snapshot(seed));
    for (int i = 0; i < kChanges; ++i) {
      std::string text = good;
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text[at] = "0123456789ABCDEFabcdef |,=:MVPTS-\n\\\r\t"[random() % 37];
          break;
        case 2:
          text.erase(at, 1);
          break;
        default:
          text.insert(at, 1, text[at]);
      }
      expect_the_same(text, i % 2 == 0);
    }
  }
}

}  // namespace
}  // namespace physmem
