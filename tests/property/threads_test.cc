// SPDX-License-Identifier: MIT
// Events, errors and notes do not depend on the number of threads that parse ahead, nor on the size
// of their chunks.
#include <gtest/gtest.h>

#include <random>

#include "tests/property/snapshot_writing.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr std::uint64_t kThreadsRounds = 100;

void expect_the_same(const std::string& text, std::uint64_t seed) {
  const bool keep_going = seed % 3 == 0;
  const Reading alone = read(text, keep_going);
  for (const std::size_t jobs : {1, 2, 5})
    for (const std::uint64_t chunk : {1, 7, 33, 60, 500, 5000}) {
      WholeSource source(text);
      const Reading reading = read_from(
          source, {keep_going, entry_readers()[seed % entry_readers().size()], jobs, chunk});
      ASSERT_EQ(reading.error, alone.error)
          << jobs << " jobs, chunks of " << chunk << ", seed " << seed;
      ASSERT_TRUE(reading.events == alone.events)
          << jobs << " jobs, chunks of " << chunk << ", seed " << seed;
      ASSERT_EQ(reading.notes.dropped_lines, alone.notes.dropped_lines);
      ASSERT_EQ(reading.notes.first_problem, alone.notes.first_problem);
    }
}

TEST(Threads, ReadTheSameEventsAsOneThread) {
  for (std::uint64_t seed = first_seed();
       seed < first_seed() + rounds(kThreadsRounds) && !testing::Test::HasFailure(); ++seed)
    expect_the_same(emitted(random_snapshot(seed)), seed);
}

TEST(Threads, ReadTheSameEventsOfVersion1AsOneThread) {
  for (std::uint64_t seed = first_seed();
       seed < first_seed() + rounds(kThreadsRounds) && !testing::Test::HasFailure(); ++seed)
    expect_the_same(as_version_1(random_snapshot(seed, Version::k1)), seed);
}

TEST(Threads, ReportTheSameErrorsAsOneThread) {
  for (std::uint64_t seed = first_seed();
       seed < first_seed() + rounds(kThreadsRounds) && !testing::Test::HasFailure(); ++seed) {
    std::mt19937_64 random(seed);
    std::string text = emitted(random_snapshot(seed));
    text[random() % text.size()] = "0 |,=M:\nG"[random() % 9];
    expect_the_same(text, seed);
    expect_the_same(text.substr(0, random() % text.size()), seed);
  }
}

}  // namespace
}  // namespace physmem
