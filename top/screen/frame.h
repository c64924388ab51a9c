// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "top/screen/styled.h"
#include "top/screen/view.h"

namespace physmem::top {

/// The whole screen: view.height lines of view.width columns. Sets view.lines and limits
/// view.scroll.
std::vector<Line> frame(const Shown& shown, View& view);

/// The same for output without a screen: the summary and all rows.
std::vector<Line> text_frame(const Shown& shown, const View& view);

}  // namespace physmem::top
