// SPDX-License-Identifier: MIT
// Findings: what is wrong with the memory of a machine, why, and what can be done. Each comes from
// a row of a table of rules (huge_page_findings.cc), which has a threshold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace physmem {

enum class Certainty : std::uint8_t {
  kCertain,  ///< the kernel's own counters or rules say so
  kLikely,   ///< it follows from them, if the machine behaves as usual
};

struct Finding {
  std::string_view name;  ///< of the rule: "thp-madvise"
  Certainty certainty = Certainty::kLikely;
  std::string cause;   ///< a clause after "because", with the numbers that show it
  std::string remedy;  ///< what a user may do
  std::string cost;    ///< what that costs
};

/// As text for people: the verdict with the first cause, then what may be done, what it costs, and
/// further causes.
std::vector<std::string> finding_lines(const std::string& verdict,
                                       const std::vector<Finding>& findings);

}  // namespace physmem
