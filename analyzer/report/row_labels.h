// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analyzer/report/canvas.h"

namespace physmem {

/// Shortens labels of rows to `room`. A path keeps its file name: "…/x86_64-linux-gnu/libc.so.6".
/// Different labels remain different.
std::vector<std::string> row_labels(const std::vector<std::string>& labels, const Font& font,
                                    double room, Canvas& ruler);

}  // namespace physmem
