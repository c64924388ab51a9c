// SPDX-License-Identifier: MIT
#include "program/terminal_type.h"

#define NCURSES_NOMACROS 1
#include <curses.h>
#include <term.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace physmem {
namespace {

/// A type whose sequences the terminals understand whose type begins with a word: the word alone,
/// or before a '-', '.' or '+'.
struct Similar {
  std::string_view word;
  const char* type;
};
constexpr const char* kXterm = "xterm-256color";
constexpr const char* kScreen = "screen-256color";
constexpr std::array kSimilar{
    Similar{"alacritty", kXterm}, Similar{"contour", kXterm}, Similar{"foot", kXterm},
    Similar{"ghostty", kXterm},   Similar{"kitty", kXterm},   Similar{"konsole", kXterm},
    Similar{"mintty", kXterm},    Similar{"rio", kXterm},     Similar{"rxvt", kXterm},
    Similar{"screen", kScreen},   Similar{"st", kXterm},      Similar{"tmux", kScreen},
    Similar{"vte", kXterm},       Similar{"wezterm", kXterm}, Similar{"xterm", kXterm}};

/// Loads an entry of terminfo while the object exists.
class Entry {
 public:
  explicit Entry(const char* type) {
    int status = 0;  // otherwise setupterm() would end the program
    is_found_ = *type != '\0' && ::setupterm(type, STDOUT_FILENO, &status) == OK;
  }
  ~Entry() {
    if (is_found_) ::del_curterm(::cur_term);
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  bool is_found() const { return is_found_; }

 private:
  bool is_found_ = false;
};

}  // namespace

std::string terminal_type() {
  const char* const value = std::getenv("TERM");
  std::string type = value == nullptr ? "" : value;
  if (Entry(type.c_str()).is_found()) return type;
  const std::string_view word = std::string_view(type).substr(0, type.find_first_of("-.+"));
  for (const Similar& similar : kSimilar)
    if (similar.word == word && Entry(similar.type).is_found()) return similar.type;
  return "";
}

int terminal_colours(const std::string& type) {
  const Entry entry(type.c_str());
  return entry.is_found() ? std::max(0, ::tigetnum("colors")) : 0;
}

}  // namespace physmem
