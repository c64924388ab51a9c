// SPDX-License-Identifier: MIT
#include "program/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "program/option_value.h"

namespace physmem {

std::size_t terminal_columns(int descriptor) {
  if (::isatty(descriptor) == 0) return 0;
  if (const char* const text = std::getenv("COLUMNS"); text != nullptr)
    if (const auto columns = number_of<std::size_t>(text); columns && *columns != 0)
      return *columns;
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace physmem
