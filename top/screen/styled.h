// SPDX-License-Identifier: MIT
// Lines of text with styles, independent of any terminal.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace physmem::top {

enum class Style {
  kPlain,
  kBold,
  kDim,
  kTitle,
  kHeading,   ///< of the table
  kSortedBy,  ///< the heading of the column that orders the table
  kSelected,
  kGroup,  ///< a cgroup in the tree
  kGood,
  kWarning,
  kAlert,
  kKey,  ///< a key in the bottom line
  kAnon,
  kShmem,
  kFile,
  kKernel,
  kOther,
  kFree,
  kSwap,
};
inline constexpr std::size_t kStyles = 19;

struct Span {
  Style style = Style::kPlain;
  std::string text;
};
using Line = std::vector<Span>;

/// The text without styles, without blanks at its end.
std::string plain_text(const Line& line);

/// Columns on a terminal.
std::size_t columns_of(const Line& line);

/// Cuts the line to this many columns, or fills it with blanks of the last style.
Line fitted(Line line, std::size_t columns);

}  // namespace physmem::top
