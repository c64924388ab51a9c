// SPDX-License-Identifier: MIT
#include "top/screen/terminal.h"

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#undef columns  // macros of term.h
#undef lines

#include <array>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <cwchar>
#include <string>

#include "program/printable.h"
#include "program/terminal.h"
#include "program/terminal_type.h"

namespace physmem::top {
namespace {

struct Look {
  attr_t attributes;
  short colour;  ///< of the text; -1: the terminal's colour
};

// In the order of Style.
constexpr std::array<Look, kStyles> kLooks{{
    {A_NORMAL, -1},                     // kPlain
    {A_BOLD, -1},                       // kBold
    {A_DIM, -1},                        // kDim
    {A_BOLD, COLOR_CYAN},               // kTitle
    {A_REVERSE, -1},                    // kHeading
    {A_REVERSE | A_BOLD, COLOR_GREEN},  // kSortedBy
    {A_REVERSE, COLOR_CYAN},            // kSelected
    {A_BOLD, COLOR_BLUE},               // kGroup
    {A_NORMAL, COLOR_GREEN},            // kGood
    {A_BOLD, COLOR_YELLOW},             // kWarning
    {A_BOLD | A_REVERSE, COLOR_RED},    // kAlert
    {A_BOLD, COLOR_CYAN},               // kKey
    {A_NORMAL, COLOR_GREEN},            // kAnon
    {A_NORMAL, COLOR_MAGENTA},          // kShmem
    {A_NORMAL, COLOR_YELLOW},           // kFile
    {A_NORMAL, COLOR_BLUE},             // kKernel
    {A_NORMAL, COLOR_RED},              // kOther
    {A_DIM, -1},                        // kFree
    {A_NORMAL, COLOR_RED},              // kSwap
}};

/// Keys are read through a pad, because reading through a window draws it first.
WINDOW* key_pad = nullptr;

bool uses_colours() {
  return !refuses_colours() && ::has_colors();
}

void start_colours() {
  if (!uses_colours()) return;
  ::start_color();
  ::use_default_colors();
  for (std::size_t i = 0; i < kLooks.size(); ++i)
    ::init_pair(static_cast<short>(i + 1), kLooks[i].colour, -1);
}

std::string utf8_of(wint_t character) {
  std::array<char, 16> bytes{};
  std::mbstate_t state{};
  const std::size_t n = std::wcrtomb(bytes.data(), static_cast<wchar_t>(character), &state);
  return n == static_cast<std::size_t>(-1) ? "" : std::string(bytes.data(), n);
}

std::optional<Key> key_of_mouse() {
  MEVENT event{};
  if (::getmouse(&event) != OK) return std::nullopt;
  Key key;
  key.x = static_cast<std::size_t>(event.x);
  key.y = static_cast<std::size_t>(event.y);
  if ((event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) != 0)
    key.kind = Key::Kind::kClick;
  else if ((event.bstate & BUTTON4_PRESSED) != 0)
    key.kind = Key::Kind::kWheelUp;
  else if ((event.bstate & BUTTON5_PRESSED) != 0)
    key.kind = Key::Kind::kWheelDown;
  else
    return std::nullopt;
  return key;
}

std::optional<Key> key_of_code(wint_t code) {
  switch (code) {
    case KEY_UP:
      return Key{Key::Kind::kUp};
    case KEY_DOWN:
      return Key{Key::Kind::kDown};
    case KEY_PPAGE:
      return Key{Key::Kind::kPageUp};
    case KEY_NPAGE:
      return Key{Key::Kind::kPageDown};
    case KEY_HOME:
      return Key{Key::Kind::kHome};
    case KEY_END:
      return Key{Key::Kind::kEnd};
    case KEY_ENTER:
      return Key{Key::Kind::kEnter};
    case KEY_BACKSPACE:
      return Key{Key::Kind::kBackspace};
    case KEY_MOUSE:
      return key_of_mouse();
    default:
      return std::nullopt;
  }
}

std::optional<Key> key_of_character(wint_t character) {
  switch (character) {
    case L'\n':
    case L'\r':
      return Key{Key::Kind::kEnter};
    case 27:
      return Key{Key::Kind::kEscape};
    case 8:
    case 127:
      return Key{Key::Kind::kBackspace};
    default:
      break;
  }
  if (character < 32) return std::nullopt;
  return Key{Key::Kind::kText, utf8_of(character)};
}

bool can_move_cursor() {
  const char* const sequence = ::tigetstr("cup");
  return sequence != nullptr && reinterpret_cast<std::intptr_t>(sequence) != -1;
}

Error unusable_type() {
  const char* const type = std::getenv("TERM");
  return {Error::Kind::kUsage,
          "TERM: found " + in_quotes(type == nullptr ? "" : type) +
              ", expected a terminal that can move its cursor and that terminfo knows, such as "
              "TERM=xterm-256color; --batch prints text"};
}

}  // namespace

Result<std::unique_ptr<Terminal>> Terminal::open() {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0)
    return Error{Error::Kind::kUsage,
                 "standard input or output is not a terminal; --batch prints text"};
  const std::string type = terminal_type();
  std::setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1 && has_utf8()) std::setlocale(LC_CTYPE, "C.UTF-8");  // for one not installed
  int status = 0;
  const bool is_known = !type.empty() && ::setupterm(type.c_str(), STDOUT_FILENO, &status) == OK;
  if (!is_known || !can_move_cursor() || ::newterm(type.c_str(), stdout, stdin) == nullptr)
    return unusable_type();
  ::cbreak();
  ::noecho();
  ::nonl();
  ::intrflush(stdscr, FALSE);
  key_pad = ::newpad(1, 1);
  ::keypad(key_pad, TRUE);
  ::nodelay(key_pad, TRUE);
  ::set_escdelay(25);
  ::curs_set(0);
  start_colours();
  ::mouseinterval(0);
  ::mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, nullptr);
  return std::unique_ptr<Terminal>(new Terminal);
}

Terminal::~Terminal() {
  ::delwin(key_pad);
  ::endwin();
}

std::size_t Terminal::width() const {
  return static_cast<std::size_t>(COLS);
}

std::size_t Terminal::height() const {
  return static_cast<std::size_t>(LINES);
}

void Terminal::resize() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row != 0 && size.ws_col != 0)
    ::resizeterm(size.ws_row, size.ws_col);
  // What a terminal keeps of its contents, and where, differs: the next draw() writes every cell.
  ::clearok(curscr, TRUE);
}

void Terminal::draw(const std::vector<Line>& lines) {
  const bool has_colours = uses_colours();
  ::werase(stdscr);
  int y = 0;
  for (const Line& line : lines) {
    ::wmove(stdscr, y++, 0);
    for (const Span& span : line) {
      const auto style = static_cast<std::size_t>(span.style);
      const auto pair = static_cast<short>(has_colours ? style + 1 : 0);
      ::wattr_set(stdscr, kLooks[style].attributes, pair, nullptr);
      ::waddnstr(stdscr, span.text.data(), static_cast<int>(span.text.size()));
    }
  }
  ::wrefresh(stdscr);
}

std::optional<Key> Terminal::read() {
  for (;;) {
    wint_t character = 0;
    const int kind = ::wget_wch(key_pad, &character);
    if (kind == ERR) return std::nullopt;
    auto key = kind == KEY_CODE_YES ? key_of_code(character) : key_of_character(character);
    if (key) return key;
  }
}

}  // namespace physmem::top
