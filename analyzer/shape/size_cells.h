// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// For cells that are sizes in bytes.
inline constexpr PageSize kPageOfOneByte{1};

/// A number of pages or bytes that may be negative.
SizeChange signed_size(double size);

/// Numbers of pages as cells, in the unit that the user has chosen.
class SizeCells {
 public:
  SizeCells(SizeUnit unit, PageSize page_size) : unit_(unit), page_size_(page_size) {}

  /// "MiB", "KiB", "pages" or "bytes".
  std::string unit() const;
  /// "mib", for JSON.
  std::string key() const;
  /// The cell of a size in a column of sizes.
  Cell cell(const Cell& pages) const;
  Cell size(std::uint64_t pages) const;
  /// The size of a part of pages, as in PSS.
  double scaled(double pages) const;
  /// "1.25 MiB", "1 page".
  std::string text(std::uint64_t pages) const;
  /// With its sign: "+1.25".
  Cell change(std::uint64_t before, std::uint64_t after) const;
  /// The same as a number.
  Cell difference(const SizeChange& change) const;

 private:
  SizeUnit unit_;
  PageSize page_size_;
};

}  // namespace physmem
