// SPDX-License-Identifier: MIT
#include "analyzer/shape/counter_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace physmem {
namespace {

using testing::ElementsAre;

std::vector<std::string> counters_of(MemoryUse use) {
  MemorySample sample;
  sample.processes.emplace_back().use = std::move(use);
  const CounterSample counters = counter_sample(sample);
  std::vector<std::string> names;
  for (const CounterValue& counter : counters.groups.back().counters) names.push_back(counter.name);
  return names;
}

// A counter of 0 would look as if the process had no memory.
TEST(CounterShape, HasNoCounterOfWhatIsNotKnown) {
  EXPECT_THAT(counters_of({.resident = 100}), ElementsAre("PSS", "RSS", "Swap"));
  EXPECT_THAT(counters_of({.resident = 100, .is_unique_known = false, .is_share_known = false}),
              ElementsAre("RSS", "Swap"));
}

}  // namespace
}  // namespace physmem
