// SPDX-License-Identifier: MIT
#include "analyzer/input/fleet_notes.h"

#include <fmt/format.h>

#include "analyzer/input/notes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Dropped lines and truncated snapshots are reported separately, with their positions.
void FleetNotes::add(const ReadNotes& notes, const Header& header, std::uint64_t repeated_areas) {
  ++snapshots_;
  page_sizes_.insert(header.page_size.bytes);
  for (const std::string& sentence : physmem::sentences({}, header, 0)) ++of_headers_[sentence];
  sum_.unknown_records += notes.unknown_records;
  sum_.elided += notes.elided;
  sum_.wrong_counts += notes.wrong_counts;
  sum_.excluded += notes.excluded;
  for (const auto& [name, n] : notes.collector) sum_.collector[name] += n;
  repeated_areas_ += repeated_areas;
}

std::vector<std::string> FleetNotes::sentences(bool tables_have_page_size) const {
  std::vector<std::string> all;
  for (const auto& [sentence, n] : of_headers_)
    all.push_back(fmt::format("{} of {}: {}", n, counted(snapshots_, "snapshot"), sentence));
  for (const std::string& sentence : physmem::sentences(sum_, {}, repeated_areas_))
    all.push_back(fmt::format("{} together: {}", counted(snapshots_, "snapshot"), sentence));
  if (page_sizes_.size() > 1 && !tables_have_page_size) {
    std::string sizes;
    for (const std::uint64_t size : page_sizes_)
      sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", size);
    all.push_back(fmt::format(
        "page sizes differ ({} bytes): counts are in pages of each snapshot; see --full", sizes));
  }
  if (lost_files_ != 0)
    all.push_back(counted(lost_files_, "input") + (lost_files_ == 1 ? " is" : " are") +
                  " missing or incomplete in the answer");
  return all;
}

}  // namespace physmem
