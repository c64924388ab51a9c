// SPDX-License-Identifier: MIT
#include "analyzer/report/counter_trace.h"

#include <gtest/gtest.h>

#include <sstream>

namespace physmem {
namespace {

CounterSample at(std::uint64_t time_ns, std::vector<CounterGroup> groups) {
  return {time_ns, std::nullopt, std::move(groups)};
}

/// What PerfettoWriter writes if it is called by `write`.
template <class Write>
std::string trace_of(Write write) {
  std::ostringstream out;
  PerfettoWriter perfetto(out);
  write(perfetto);
  perfetto.end();
  return out.str();
}

TEST(CounterTrace, EndsTheCountersOfAProcessThatIsMissing) {
  std::ostringstream out;
  CounterTrace trace(out);
  trace.add(at(10, {{"7", "cat", 7, {{"RSS", 4096}}}, {"machine", "Machine", 0, {{"Free", 1}}}}));
  trace.add(at(20, {{"machine", "Machine", 0, {{"Free", 2}}}}));
  trace.end();
  EXPECT_EQ(out.str(), trace_of([](PerfettoWriter& expected) {
              expected.add_process(1, 7, "cat");
              expected.add_counter(2, "RSS", {1, CounterUnit::kBytes});
              expected.counter(2, 10, 4096);
              expected.add_track(3, "Machine");
              expected.add_counter(4, "Free", {3, CounterUnit::kBytes});
              expected.counter(4, 10, 1);
              expected.counter(4, 20, 2);
              expected.counter(2, 20, 0);
            }));
}

TEST(CounterTrace, KeepsTheValueOfAProcessAndEndsThatOfAClass) {
  std::ostringstream out;
  CounterTrace trace(out);
  trace.add(at(10, {{"7", "cat", 7, {{"Major faults", 3, false}}},
                    {"classes", "RAM by class", 0, {{"anon", 5}}}}));
  trace.add(at(20, {{"7", "cat", 7, {}}, {"classes", "RAM by class", 0, {}}}));
  trace.end();
  EXPECT_EQ(out.str(), trace_of([](PerfettoWriter& expected) {
              expected.add_process(1, 7, "cat");
              expected.add_counter(2, "Major faults", {1, CounterUnit::kCount});
              expected.counter(2, 10, 3);
              expected.add_track(3, "RAM by class");
              expected.add_counter(4, "anon", {3, CounterUnit::kBytes});
              expected.counter(4, 10, 5);
              expected.counter(4, 20, 0);
            }));
}

}  // namespace
}  // namespace physmem
