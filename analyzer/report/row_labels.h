// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analyzer/report/canvas.h"

namespace physmem {

/// Labels of rows as they fit into `room`. A path keeps the name of its file:
/// "…/x86_64-linux-gnu/libc.so.6". No two rows look the same, as long as the labels differ.
std::vector<std::string> row_labels(const std::vector<std::string>& labels, const Font& font,
                                    double room, Canvas& ruler);

}  // namespace physmem
