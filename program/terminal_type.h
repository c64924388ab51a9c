// SPDX-License-Identifier: MIT
// The type of the terminal by terminfo. A library of its own, because it requires ncurses.
#pragma once

#include <string>

namespace physmem {

/// $TERM. If terminfo has no entry of this name, a similar terminal's name: emulators bring their
/// own entries (xterm-kitty, alacritty, foot, xterm-ghostty), which other machines, containers and
/// other users often lack. Empty: not set, or unknown.
std::string terminal_type();

/// Colours of the terminal of this type, from terminfo. 0: none or unknown.
int terminal_colours(const std::string& type);

}  // namespace physmem
