// SPDX-License-Identifier: MIT
// Options that several questions have.
#pragma once

#include <initializer_list>
#include <vector>

#include "analyzer/input/question_text.h"

namespace physmem {

using OwnOptions = std::vector<OwnOption>;

inline OwnOptions joined(std::initializer_list<OwnOptions> parts) {
  OwnOptions all;
  for (const OwnOptions& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Which processes count.
inline OwnOptions selection() {
  return {"pid",
          {"command",
           "only processes with this command: a shell pattern, or a regular expression between "
           "slashes: 'python*', /^py/",
           "all"},
          "user",
          "cgroup"};
}

/// Which pages or frames of RAM count.
inline OwnOptions places() {
  return {{"node", "only RAM of these NUMA nodes, such as 0,1", "all"},
          {"zone", "only RAM of these zones, such as DMA32,Normal", "all"},
          {"tier", "only RAM of these memory tiers", "all"}};
}

/// Which frames of RAM count, also by who pays for them.
inline OwnOptions places_and_payers() {
  return joined({places(),
                 {{"cgroup",
                   "only frames that these cgroups, or those below them, pay for: a shell pattern "
                   "for the path, or a regular expression between slashes: '*/nginx.service'",
                   "all"}}});
}

inline OwnOptions pages_of_processes() {
  return joined({selection(), places()});
}

inline OwnOption by_place() {
  return {"by", "split the tables by node, zone or tier"};
}

inline OwnOptions size_units() {
  return {{"mib", "sizes in MiB (default of text)"},
          {"kib", "sizes in KiB"},
          {"pages", "sizes in pages (CSV and JSON without any: bytes)"}};
}

inline OwnOption top_of_tables(const char* fallback) {
  return {"top", "of text, only the first N rows of each table", fallback};
}

inline constexpr Collect kRam{.ram = true};

}  // namespace physmem
