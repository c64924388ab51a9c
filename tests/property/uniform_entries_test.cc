// SPDX-License-Identifier: MIT
// The uniform-entry fast path, which expects each line and entry to look like the previous one,
// gives the same events and errors as the strict path. So do the predecoded runs of the compact
// form.
#include <gtest/gtest.h>

#include <random>

#include "analyzer/parse/decoded_source.h"
#include "tests/property/snapshot_writing.h"
#include "tests/unit/formats/compact/compact_text.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr std::uint64_t kUniformRounds = 100;
constexpr int kChanges = 20;

void expect_the_same(const Reading& reading, const Reading& strict) {
  ASSERT_EQ(reading.error, strict.error);
  ASSERT_TRUE(reading.events == strict.events);
  ASSERT_EQ(reading.notes.dropped_lines, strict.notes.dropped_lines);
  ASSERT_EQ(reading.notes.first_problem, strict.notes.first_problem);
}

void expect_the_same(const std::string& text, bool keep_going) {
  WholeSource source(text);
  const Reading strict = read_from(source, {.keep_going = keep_going, .is_strict = true});
  for (const EntryReader& reader : entry_readers()) {
    SCOPED_TRACE(reader.name);
    expect_the_same(read(text, keep_going, reader), strict);
  }
  SCOPED_TRACE("compact");
  const std::string compact = compact_of(text);
  const auto runs =
      decoded(std::make_unique<PiecewiseSource>(compact, 1 + text.size() % 5000), "s");
  expect_the_same(read_from(**runs, {.keep_going = keep_going}), strict);
}

TEST(UniformEntryReaders, ReadTheSameEventsAsTheStrictReader) {
  for (std::uint64_t seed = first_seed();
       seed < first_seed() + rounds(kUniformRounds) && !testing::Test::HasFailure(); ++seed) {
    expect_the_same(emitted(random_snapshot(seed)), false);
    expect_the_same(as_version_1(random_snapshot(seed, Version::k1)), false);
  }
}

/// One byte is replaced (by any byte, or by one that has a meaning), erased or doubled.
TEST(UniformEntryReaders, ReportTheSameErrorsAsTheStrictReader) {
  for (std::uint64_t seed = first_seed();
       seed < first_seed() + rounds(kUniformRounds) && !testing::Test::HasFailure(); ++seed) {
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
