// SPDX-License-Identifier: MIT
#include "program/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "program/option_value.h"

namespace physmem {
namespace {

/// The name of the locale for characters, in the order of setlocale(3).
std::string_view locale_name() {
  for (const char* const variable : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* const name = std::getenv(variable); name != nullptr && *name != '\0')
      return name;
  return "C";
}

std::size_t size_of(int descriptor, const char* variable, unsigned short winsize::*member) {
  if (::isatty(descriptor) == 0) return 0;
  if (const char* const text = std::getenv(variable); text != nullptr)
    if (const auto number = number_of<std::size_t>(text); number && *number != 0) return *number;
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.*member : 0;
}

}  // namespace

std::size_t terminal_columns(int descriptor) {
  return size_of(descriptor, "COLUMNS", &winsize::ws_col);
}

std::size_t terminal_lines(int descriptor) {
  return size_of(descriptor, "LINES", &winsize::ws_row);
}

bool refuses_colours() {
  const char* const text = std::getenv("NO_COLOR");
  return text != nullptr && *text != '\0';
}

bool has_utf8() {
  if (const locale_t locale = ::newlocale(LC_CTYPE_MASK, "", nullptr); locale != nullptr) {
    const bool is_utf8 = std::string_view(::nl_langinfo_l(CODESET, locale)) == "UTF-8";
    ::freelocale(locale);
    return is_utf8;
  }
  const std::string_view name = locale_name();
  const std::string_view codeset = name.substr(std::min(name.find('.'), name.size()));
  return ::strncasecmp(codeset.data(), ".utf-8", 6) == 0 ||
         ::strncasecmp(codeset.data(), ".utf8", 5) == 0;
}

}  // namespace physmem
