// SPDX-License-Identifier: MIT
#include "collector-proc/capabilities.h"

#include "collector-proc/text_cursor.h"

namespace physmem::collect {

std::uint64_t effective_capabilities(const ProcTree& tree) {
  ReadBuffer status;
  if (read_at(tree.fd(), "self/status", status) != Access::kRead) return 0;
  for (TextCursor lines(status.text()); !lines.at_end();) {
    TextCursor line(lines.line());
    if (line.skip("CapEff:\t")) return line.number(16).value_or(0);
  }
  return 0;
}

}  // namespace physmem::collect
