// SPDX-License-Identifier: MIT
// The parser reads back what the emitter wrote: parse(emit(r)) == r.
#include <gtest/gtest.h>

#include "tests/property/snapshot_writing.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr std::uint64_t kRoundTrips = 300;

class RoundTrip : public testing::Test {
 protected:
  /// Calls check(seed) for many seeds. Stops at the first seed that fails and prints it.
  template <class Check>
  void for_many(Check check) {
    for (std::uint64_t seed = first_seed(); seed < first_seed() + kRoundTrips && !HasFailure();
         ++seed) {
      SCOPED_TRACE("PHYSMEM_PROPERTY_SEED=" + std::to_string(seed));
      check(seed);
    }
  }
};

TEST_F(RoundTrip, PreservesTheValuesOfEveryRecord) {
  for_many([](std::uint64_t seed) {
    const RandomSnapshot snapshot = random_snapshot(seed);
    const Reading reading = read(emitted(snapshot));
    EXPECT_EQ(reading.error, "");
    EXPECT_EQ(reading.events, expected_events(snapshot));
    EXPECT_EQ(reading.notes.excluded, snapshot.excluded);
    EXPECT_FALSE(reading.notes.data_is_missing());
  });
}

TEST_F(RoundTrip, PreservesValuesWhenReadInPieces) {
  for_many([](std::uint64_t seed) {
    const RandomSnapshot snapshot = random_snapshot(seed);
    const std::string text = emitted(snapshot);
    PiecewiseSource source(text, 1 + seed % 300);
    const Reading reading = read_from(source);
    EXPECT_EQ(reading.error, "");
    EXPECT_TRUE(reading.events == expected_events(snapshot));
  });
}

TEST_F(RoundTrip, PreservesTheValuesOfVersion1) {
  for_many([](std::uint64_t seed) {
    const RandomSnapshot snapshot = random_snapshot(seed, Version::k1);
    const std::string text = as_version_1(snapshot);
    PiecewiseSource source(text, 1 + seed % 300);
    const Reading reading = read_from(source);
    EXPECT_EQ(reading.error, "");
    EXPECT_EQ(reading.events, expected_events(snapshot, Version::k1));
    EXPECT_EQ(reading.notes.wrong_counts, 0u);
  });
}

TEST_F(RoundTrip, ReadsChangedByteInPiecesAsInOneText) {
  for_many([](std::uint64_t seed) {
    std::string text = emitted(random_snapshot(seed));
    std::mt19937_64 random(seed);
    text[random() % text.size()] = static_cast<char>(random());
    const Reading whole = read(text, true);
    PiecewiseSource source(text, 50);
    const Reading pieces = read_from(source, true);
    EXPECT_EQ(pieces.error, whole.error);
    EXPECT_TRUE(pieces.events == whole.events);
    EXPECT_EQ(pieces.notes.dropped_lines, whole.notes.dropped_lines);
    EXPECT_EQ(pieces.notes.first_problem, whole.notes.first_problem);
  });
}

}  // namespace
}  // namespace physmem
