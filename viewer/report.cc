// SPDX-License-Identifier: MIT
#include "viewer/report.h"

#include <ostream>

#include "program/printable.h"

namespace physmem::view {

void say(std::ostream& messages, const std::string& text) {
  messages << message_line("physmem-view", text) << std::flush;
}

Exit fail(std::ostream& messages, const Error& error) {
  say(messages, error.text);
  return exit_of(error.kind);
}

}  // namespace physmem::view
