// SPDX-License-Identifier: MIT
// Charts and maps to draw, and programs of others to look at what was drawn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/report/painter.h"

namespace physmem {

/// Groups "process 0", "process 1", …; the value of series s in bar b of group g is g + s + b.
BarChart chart_of(std::size_t groups, std::size_t series, std::size_t bars);

/// Blocks "unit 0", "unit 1", … of `lines` lines each.
PageMap map_of(std::size_t blocks, std::size_t lines);

/// What was painted; fails the test when paint() tells of an error.
std::string picture(PictureFormat format, const std::vector<BarChart>& charts,
                    const std::vector<PageMap>& maps);

std::size_t count(const std::string& text, const std::string& what);

/// What a shell command prints when the picture is its standard input; nothing when it fails.
std::optional<std::string> output_of(const std::string& command, const std::string& picture);

bool is_installed(const std::string& program);

}  // namespace physmem
