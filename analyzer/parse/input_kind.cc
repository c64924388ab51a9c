// SPDX-License-Identifier: MIT
#include "analyzer/parse/input_kind.h"

namespace physmem {

bool is_trace_header(std::string_view line) {
  return line.starts_with("H:") && line.find(", trace=") != std::string_view::npos;
}

bool begins_snapshot(std::string_view head) {
  return (head.starts_with("H: ") && !is_trace_header(head.substr(0, head.find('\n')))) ||
         head.starts_with("T: ");
}

bool is_whole_snapshot(std::string_view head, std::string_view last_line) {
  return !head.starts_with("H:") || (last_line.starts_with("E: ") && last_line.ends_with('\n'));
}

bool begins_trace(std::string_view head) {
  if (head.starts_with("H:") && is_trace_header(head.substr(0, head.find('\n')))) return true;
  return !head.starts_with("H:") && !head.starts_with("T:") &&
         head.find("pGswAP") != std::string_view::npos;
}

}  // namespace physmem
