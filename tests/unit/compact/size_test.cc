// SPDX-License-Identifier: MIT
// What it is for: bytes a page, on the samples and on runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/compact/compact_text.h"

namespace physmem {
namespace {

/// A process with `pages` pages in runs of 1 to `longest`, anywhere in RAM.
std::string process(std::mt19937_64& random, int pid, int pages, unsigned longest) {
  std::string text = fmt::format("T: work, {}, {:08X}, 0, 1, 2, 3, 4\n", pid, pid);
  const std::uint64_t start = 0x550000000000 + (random() % 4096 << 24);
  text += fmt::format("V: {:08X}, {:08X}, {:08X}\nM:", start, start + 0xFFFFFF, 0x1000000);
  std::uint64_t va = start;
  while (pages > 0) {
    std::uint64_t frame = random() % (6 << 20);
    for (std::uint64_t n = 1 + random() % longest; n != 0 && pages > 0; --n, --pages, ++frame, va += 4096)
      text += fmt::format(" {:08X}={:08X}, 1, 00005868 |", va, frame << 12);
  }
  return text + "\n";
}

double bytes_a_page(unsigned longest_run) {
  std::mt19937_64 random(1);
  std::string text;
  for (int pid = 1; pid <= 50; ++pid) text += process(random, pid, 2000, longest_run);
  const std::string compact = compact_of(text);
  EXPECT_EQ(text_of(compact).text == text, true);
  return static_cast<double>(compact.size()) / 100000;
}

TEST(Size, OfAPageDependsOnRuns) {
  EXPECT_LE(bytes_a_page(1), 5.0);  // any frame behind any other: there is nothing to save
  EXPECT_LE(bytes_a_page(10), 1.0);
  EXPECT_LE(bytes_a_page(512), 0.05);
}

}  // namespace
}  // namespace physmem
