// SPDX-License-Identifier: MIT
// Sample charts, maps and series, and external programs that inspect the pictures.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/report/painter.h"

namespace physmem {

/// Groups "process 0", "process 1", …; the value of series s in bar b of group g is g + s + b.
BarChart chart_of(std::size_t groups, std::size_t series, std::size_t bars);

/// Blocks "unit 0", "unit 1", … of `lines` lines each.
PageMap map_of(std::size_t blocks, std::size_t lines);

/// Width of the drawing of a sample series, in points.
inline constexpr double kSeriesWidth = 770;
/// A value that cannot be drawn: as y, a gap.
inline constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// A series with one panel "pages", with one line "init" over x in "s".
Series line_of(const std::vector<std::pair<double, double>>& points);

/// The painted picture. Fails the test if paint() reports an error.
std::string picture(PictureFormat format, const std::vector<BarChart>& charts,
                    const std::vector<PageMap>& maps);

std::size_t count(const std::string& text, const std::string& what);

/// The output of a shell command that reads the picture on its standard input; nullopt if it fails.
std::optional<std::string> output_of(const std::string& command, const std::string& picture);

bool is_installed(const std::string& program);

}  // namespace physmem
