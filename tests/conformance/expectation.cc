// SPDX-License-Identifier: MIT
// Compares the workload's description with the snapshot, page by page.
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "tests/conformance/workload_run.h"

namespace physmem::conformance {
namespace {

constexpr std::uint64_t kKsm = 1u << 21;
constexpr std::uint64_t kGuarded = 0x10000000;  // of V:

struct Letter {
  char letter;
  std::uint64_t flag;  // linux/kernel-page-flags.h
  bool is_set;
};
constexpr std::array kLetters{
    Letter{'a', 1u << 12, true}, Letter{'f', 1u << 12, false}, Letter{'t', 1u << 22, true},
    Letter{'k', kKsm, true},     Letter{'h', 1u << 17, true},  Letter{'z', 1u << 24, true},
};

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%llX", static_cast<unsigned long long>(value));
  return text;
}

bool matches(const Page& page, const std::string& what, std::uint64_t unknown_flags) {
  std::size_t digits = 0;
  if (page.count != std::stoull(what, &digits)) return false;
  return std::all_of(what.begin() + static_cast<std::ptrdiff_t>(digits), what.end(), [&](char c) {
    const auto* letter = std::find_if(kLetters.begin(), kLetters.end(),
                                      [c](const Letter& l) { return l.letter == c; });
    if (letter == kLetters.end()) return false;
    return (letter->flag & unknown_flags) != 0 ||
           ((page.flags & letter->flag) != 0) == letter->is_set;
  });
}

/// The content of the snapshot in [start, end).
struct Content {
  std::vector<Page> pages;
  std::vector<SwappedPage> swapped;
  std::vector<std::string> units;
  std::map<std::uint64_t, bool> is_guarded;  ///< by the start of an area: whether V: marks it so
  std::uint64_t unlisted = 0;
};

Content content_of(const Snapshot& snapshot, const Expectation& expected) {
  const std::uint64_t end = expected.start + expected.bytes;
  Content content;
  for (const TaskRecord& task : snapshot.tasks) {
    if (task.pid != expected.pid) continue;
    for (const AreaRecord& area : task.areas) {
      if (area.start >= end || area.last < expected.start) continue;
      content.units.push_back(area.unit);
      content.is_guarded[area.start] = (area.flags & kGuarded) != 0;
      content.unlisted += area.unlisted();
      for (const Page& page : area.pages)
        if (page.va >= expected.start && page.va < end) content.pages.push_back(page);
      for (const SwappedPage& page : area.swapped)
        if (page.va >= expected.start && page.va < end) content.swapped.push_back(page);
    }
  }
  return content;
}

/// Compares the pages of the content with a pattern, in order of their addresses.
class Comparison {
 public:
  Comparison(const Content& content, std::uint64_t unknown_flags)
      : content_(content), unknown_flags_(unknown_flags), unlisted_(content.unlisted) {}

  bool is_all_swap_expected() const { return unlisted_ == 0; }

  void stretch(std::uint64_t start, std::uint64_t end, std::uint64_t page_size,
               const std::string& what) {
    for (auto area = content_.is_guarded.lower_bound(start);
         area != content_.is_guarded.end() && area->first < end; ++area)
      if (area->second != (what == "g"))
        differences.push_back({"area " + hex(area->first), "has a wrong mark of a guard page"});
    const bool is_resident = what != "." && what != "g" && what != "s" && what != "u";
    std::uint64_t resident = 0;
    std::uint64_t swapped = 0;
    for (; page_ < content_.pages.size() && content_.pages[page_].va < end; ++page_, ++resident) {
      const Page& page = content_.pages[page_];
      if (is_resident && matches(page, what, unknown_flags_)) continue;
      differences.push_back({"page " + hex(page.va), "should be " + what + ", but has count " +
                                                         std::to_string(page.count) +
                                                         " and flags " + hex(page.flags)});
    }
    for (; swap_ < content_.swapped.size() && content_.swapped[swap_].va < end; ++swap_) ++swapped;
    const std::uint64_t pages = (end - start) / page_size;
    // Shared memory in swap is listed in S:, or only counted.
    if (what == "u" && swapped == 0 && unlisted_ >= pages) {
      swapped = pages;
      unlisted_ -= pages;
    }
    const bool is_in_swap = what == "s" || what == "u";
    if (resident == (is_resident ? pages : 0) && swapped == (is_in_swap ? pages : 0)) return;
    differences.push_back({std::to_string(pages) + " pages from " + hex(start),
                           "should be " + what + ", but " + std::to_string(resident) +
                               " are resident and " + std::to_string(swapped) + " in swap"});
  }

  std::vector<Difference> differences;

 private:
  const Content& content_;
  std::uint64_t unknown_flags_;
  std::uint64_t unlisted_;  // not yet expected
  std::size_t page_ = 0;
  std::size_t swap_ = 0;
};

}  // namespace

std::vector<Difference> differences_to_expectation(const Snapshot& snapshot,
                                                   const Expectation& expected) {
  const std::uint64_t page_size = std::stoull(snapshot.header.at("page_size"));
  const Content content = content_of(snapshot, expected);
  // On a kernel whose kpageflags reports every anonymous page as merged, the snapshot has this
  // note and omits the flag.
  const bool is_ksm_unknown = snapshot.counters.contains("note.ksm_unknown");
  Comparison comparison(content, is_ksm_unknown ? kKsm : 0);
  std::uint64_t at = expected.start;
  for (const Stretch& stretch : expected.stretches) {
    const std::uint64_t end = at + stretch.pages * page_size;
    comparison.stretch(at, end, page_size, stretch.what);
    at = end;
  }
  if (!comparison.is_all_swap_expected())
    comparison.differences.push_back({"shared memory", "has more pages in swap than expected"});
  if (at != expected.start + expected.bytes)
    comparison.differences.push_back({"the pattern", "does not fill its range"});
  if (content.units.empty())
    comparison.differences.push_back({"area " + hex(expected.start), "is missing"});
  for (const std::string& unit : content.units)
    if (unit != expected.unit)
      comparison.differences.push_back({"unit of area " + hex(expected.start),
                                        "is \"" + unit + "\", not \"" + expected.unit + "\""});
  for (Difference& difference : comparison.differences)
    difference.place = "process " + std::to_string(expected.pid) + ", " + difference.place;
  return comparison.differences;
}

}  // namespace physmem::conformance
