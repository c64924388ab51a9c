// SPDX-License-Identifier: MIT
#include "analyzer/shape/size_cells.h"

#include <fmt/format.h>

#include <array>

namespace physmem {

std::string SizeCells::unit() const {
  constexpr std::array<const char*, 3> kUnits{"MiB", "KiB", "pages"};
  return kUnits[static_cast<std::size_t>(unit_)];
}

double SizeCells::scaled(double pages) const {
  const double kib = pages * static_cast<double>(page_size_.bytes) / 1024;
  return unit_ == SizeUnit::kPages ? pages : unit_ == SizeUnit::kKib ? kib : kib / 1024;
}

Cell SizeCells::size(std::uint64_t pages) const {
  if (unit_ == SizeUnit::kPages) return pages;
  if (unit_ == SizeUnit::kKib) return page_size_.kib(pages);
  return scaled(static_cast<double>(pages));
}

std::string SizeCells::text(std::uint64_t pages) const {
  if (unit_ == SizeUnit::kPages) return counted(pages, "page");
  return fmt::format("{:.{}f} {}", scaled(static_cast<double>(pages)),
                     unit_ == SizeUnit::kKib ? 0 : 2, unit());
}

Cell SizeCells::change(std::uint64_t before, std::uint64_t after) const {
  if (unit_ == SizeUnit::kPages) return difference(before, after);
  if (unit_ == SizeUnit::kKib) return difference(page_size_.kib(before), page_size_.kib(after));
  if (before == after) return "0.00";
  return fmt::format("{:+.2f}",
                     scaled(static_cast<double>(after)) - scaled(static_cast<double>(before)));
}

}  // namespace physmem
