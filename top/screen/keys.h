// SPDX-License-Identifier: MIT
// What keys and clicks do to the view.
#pragma once

#include <cstddef>
#include <string>

#include "top/model/history.h"
#include "top/screen/view.h"

namespace physmem::top {

struct Key {
  enum class Kind {
    kText,  ///< a character
    kUp,
    kDown,
    kPageUp,
    kPageDown,
    kHome,
    kEnd,
    kEnter,
    kEscape,
    kBackspace,
    kClick,
    kWheelUp,
    kWheelDown,
  };
  Kind kind = Kind::kText;
  std::string text = {};  ///< UTF-8
  std::size_t x = 0;      ///< of a click
  std::size_t y = 0;
};

/// What the program has to do besides drawing.
enum class Request { kNothing, kDetails, kInterval };

/// Changes the view. `shown` is what the user saw when the key was pressed.
Request press(const Key& key, const Shown& shown, const History& history, View& view);

}  // namespace physmem::top
