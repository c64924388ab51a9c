// SPDX-License-Identifier: MIT
#include "collector-proc/cgroup_reader.h"

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

bool names_memory(std::string_view controllers) {
  TextCursor list(controllers);
  while (!list.at_end()) {
    if (list.until(',') == "memory") return true;
  }
  return false;
}

}  // namespace

std::string_view memory_cgroup(std::string_view text) {
  std::string_view unified;
  std::string_view memory;
  TextCursor lines(text);
  while (!lines.at_end()) {
    TextCursor line(lines.line());  // ID:CONTROLLERS:PATH; the path may contain colons
    const std::string_view id = line.until(':');
    const std::string_view controllers = line.until(':');
    if (id == "0" && controllers.empty()) unified = line.rest();
    if (names_memory(controllers)) memory = line.rest();
  }
  const bool unified_is_trivial = unified.empty() || unified == "/";
  return unified_is_trivial && !memory.empty() ? memory : unified;
}

}  // namespace physmem::collect
