// SPDX-License-Identifier: MIT
#include "tests/conformance/consistency.h"

namespace physmem::conformance {
namespace {

using Numbers = std::vector<std::uint64_t>;

std::string text_of(const Numbers& numbers) {
  std::string text;
  for (const std::uint64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

// The fields of P:. user, single and shared are computed from the pages, executable and read-only
// from the VMA.
Numbers counts_by_pages(const AreaRecord& area) {
  std::uint64_t single = 0;
  std::uint64_t shared = 0;
  for (const Page& page : area.pages) {
    single += page.count == 1 ? 1 : 0;
    shared += page.count > 1 ? 1 : 0;
  }
  const std::uint64_t user = area.pages.size();
  return {user,
          (area.flags & 4) != 0 ? user : 0,
          (area.flags & 2) == 0 ? user : 0,
          single,
          shared,
          area.swapped.size()};
}

// The fields of P: without the optional last one.
Numbers counts_of(const AreaRecord& area) {
  Numbers counts = area.count_fields;
  if (area.unlisted() != 0) counts.pop_back();
  return counts;
}

void check_area(const AreaRecord& area, std::uint64_t page_size, std::vector<std::string>& found) {
  const Numbers counts = counts_by_pages(area);
  if (counts_of(area) != counts)
    found.push_back(area.vma + ": by its pages it is P: " + text_of(counts) + ", not " +
                    area.counts);
  // V: is written before the pages are listed, so it does not include later changes.
  if (!area.was_recounted && area.resident != area.pages.size() * page_size)
    found.push_back(area.vma + ": resident is not what its " + std::to_string(area.pages.size()) +
                    " pages are");
}

}  // namespace

std::vector<std::string> contradictions(const Snapshot& snapshot) {
  const std::uint64_t page_size = std::stoull(snapshot.header.at("page_size"));
  std::vector<std::string> found;
  Numbers totals{snapshot.tasks.size(), 0, 0, 0, 0};
  for (const TaskRecord& task : snapshot.tasks) {
    std::uint64_t end = 0;
    for (const AreaRecord& area : task.areas) {
      if (area.start < end) found.push_back("areas overlap: " + area.vma);
      end = area.last;
      check_area(area, page_size, found);
      ++totals[1];
      totals[2] += area.pages.size();
      totals[3] += area.swapped.size();
    }
  }
  if (snapshot.end != totals)
    found.push_back("E: is " + text_of(snapshot.end) + ", the lines are " + text_of(totals));
  return found;
}

}  // namespace physmem::conformance
