// SPDX-License-Identifier: MIT
#include "analyzer/shape/finding.h"

#include <fmt/format.h>

namespace physmem {

std::vector<std::string> finding_lines(const std::string& verdict,
                                       const std::vector<Finding>& findings) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings) {
    const char* const how = finding.certainty == Certainty::kCertain ? "" : "probably ";
    lines.push_back(lines.empty() ? fmt::format("{}, {}because {}", verdict, how, finding.cause)
                                  : fmt::format("Also, {}because {}", how, finding.cause));
    lines.push_back("  what may help: " + finding.remedy);
    lines.push_back("  what it costs: " + finding.cost);
  }
  if (lines.empty()) lines.push_back(verdict);
  return lines;
}

}  // namespace physmem
