// SPDX-License-Identifier: MIT
#include "collector-proc/smaps_reader.h"

#include <array>

#include "collector-proc/text_cursor.h"
#include "program/printable.h"

namespace physmem::collect {
namespace {

struct SmapsField {
  std::string_view name;
  __u64 pm_page_counts::*part;  // the count it is added to, in addition to user
  bool is_resident;
};

constexpr std::array kSmapsFields{
    SmapsField{"Shared_Clean", &pm_page_counts::shared, true},
    SmapsField{"Shared_Dirty", &pm_page_counts::shared, true},
    SmapsField{"Private_Clean", &pm_page_counts::single_use, true},
    SmapsField{"Private_Dirty", &pm_page_counts::single_use, true},
    SmapsField{"Shared_Hugetlb", &pm_page_counts::shared, true},
    SmapsField{"Private_Hugetlb", &pm_page_counts::single_use, true},
    SmapsField{"Swap", &pm_page_counts::swapped, false},
};

bool is_field(std::string_view line) {
  return !line.empty() && line.front() >= 'A' && line.front() <= 'Z';
}

// "Name:   123 kB". Rss is the sum of Shared and Private, so user is computed as their sum.
void add_field(std::string_view line, std::uint64_t page_size, pm_page_counts& counts) {
  TextCursor cursor(line);
  const std::string_view name = cursor.until(':');
  for (const SmapsField& field : kSmapsFields) {
    if (field.name != name) continue;
    cursor.skip_blanks();
    const std::uint64_t pages = cursor.number().value_or(0) * 1024 / page_size;
    counts.*field.part += pages;
    if (field.is_resident) counts.user += pages;
    return;
  }
}

}  // namespace

Status parse_smaps(std::string_view text, std::uint64_t page_size, CountedAreas& into) {
  into.list.clear();
  into.counts.clear();
  TextCursor lines(text);
  bool is_wanted = false;
  while (!lines.at_end()) {
    const std::string_view line = lines.line();
    if (is_field(line)) {
      if (is_wanted) add_field(line, page_size, into.counts.back());
      continue;
    }
    const auto area = parse_maps_line(line);
    if (!area) return bad_input(in_quotes(line, 200) + " is not a line of smaps");
    is_wanted = into.list.add(*area);
    if (is_wanted) into.counts.emplace_back();
  }
  return {};
}

}  // namespace physmem::collect
