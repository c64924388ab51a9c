// SPDX-License-Identifier: MIT
// Uniform entries become runs. Each entry reader that this CPU supports gives the same runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/parse/uniform_entries.h"

namespace physmem {
namespace {

constexpr std::size_t kMargin = 64;

struct Entry {
  std::uint64_t va;
  std::uint64_t value;
};

/// Runs as (first entry, va, value). The text has a readable margin before and after it.
std::vector<std::vector<std::uint64_t>> runs_of(const std::vector<Entry>& entries,
                                                const EntryReader& reader, std::size_t max_runs,
                                                std::size_t max_entries, Taken& taken) {
  std::string text(kMargin, ' ');
  for (const Entry& entry : entries)
    text += fmt::format(" {:012X}={:09X}, 7, 5828 |", entry.va, entry.value);
  const std::size_t end = text.size();
  text.append(kMargin, '\n');
  EntryShape shape;
  shape.length = (end - kMargin) / entries.size();
  shape.va_width = 12;
  shape.value_width = 9;
  std::copy_n(text.data() + kMargin, shape.length, shape.text.begin());
  std::vector<PageRun> runs(max_runs + 1);
  taken = reader.take(text.data() + kMargin, text.data() + end, shape,
                      {runs.data(), max_runs, max_entries, 4096});
  std::vector<std::vector<std::uint64_t>> found;
  for (std::size_t i = 0; i < taken.runs; ++i)
    found.push_back({runs[i].pages, runs[i].va, runs[i].value});
  return found;
}

TEST(EntryRuns, EndAtANonAdjacentPage) {
  const std::vector<Entry> entries{{0, 0x1000},      {0x1000, 0x2000}, {0x2000, 0x4000},
                                   {0x4000, 0x5000}, {0x5000, 0x6000}, {0x6000, 0x7001},
                                   {0x7000, 0x8001}};
  for (const EntryReader& reader : entry_readers()) {
    Taken taken;
    EXPECT_EQ(runs_of(entries, reader, 8, 100, taken),
              (std::vector<std::vector<std::uint64_t>>{
                  {0, 0, 0x1000}, {2, 0x2000, 0x4000}, {3, 0x4000, 0x5000}, {5, 0x6000, 0x7001}}))
        << reader.name;
    EXPECT_EQ(taken.entries, entries.size());
  }
}

TEST(EntryRuns, StayWithinTheirLimits) {
  const std::vector<Entry> entries{
      {0, 0}, {0x1000, 0x1000}, {0x2000, 0x9000}, {0x9000, 0xF000}, {0xA000, 0x10000}};
  for (const EntryReader& reader : entry_readers()) {
    Taken taken;
    EXPECT_EQ(runs_of(entries, reader, 2, 100, taken).size(), 2u) << reader.name;
    EXPECT_EQ(taken.entries, 3u) << reader.name;
    EXPECT_EQ(runs_of(entries, reader, 8, 4, taken).size(), 3u) << reader.name;
    EXPECT_EQ(taken.entries, 4u) << reader.name;
  }
}

}  // namespace
}  // namespace physmem
