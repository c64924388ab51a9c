// SPDX-License-Identifier: MIT
#include "analyzer/shape/size_cells.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace physmem {

SizeChange signed_size(double size) {
  const auto number = static_cast<std::uint64_t>(std::llround(std::abs(size)));
  return size < 0 ? SizeChange{number, 0} : SizeChange{0, number};
}

std::string SizeCells::unit() const {
  constexpr std::array<const char*, 4> kUnits{"MiB", "KiB", "pages", "bytes"};
  return kUnits[static_cast<std::size_t>(unit_)];
}

std::string SizeCells::key() const {
  constexpr std::array<const char*, 4> kKeys{"mib", "kib", "pages", "bytes"};
  return kKeys[static_cast<std::size_t>(unit_)];
}

Cell SizeCells::cell(const Cell& pages) const {
  if (const auto* const whole = std::get_if<std::uint64_t>(&pages)) return size(*whole);
  if (const auto* const both = std::get_if<SizeChange>(&pages))
    return change(both->before, both->after);
  const auto* const part = std::get_if<double>(&pages);
  if (part == nullptr) return pages;
  const double size = scaled(*part);
  return unit_ == SizeUnit::kBytes ? Cell(static_cast<std::uint64_t>(std::llround(size)))
                                   : Cell(size);
}

double SizeCells::scaled(double pages) const {
  const double kib = pages * static_cast<double>(page_size_.bytes) / 1024;
  if (unit_ == SizeUnit::kBytes) return kib * 1024;
  return unit_ == SizeUnit::kPages ? pages : unit_ == SizeUnit::kKib ? kib : kib / 1024;
}

Cell SizeCells::size(std::uint64_t pages) const {
  if (unit_ == SizeUnit::kPages) return pages;
  if (unit_ == SizeUnit::kKib) return page_size_.kib(pages);
  if (unit_ == SizeUnit::kBytes) return pages << page_size_.shift();
  return scaled(static_cast<double>(pages));
}

std::string SizeCells::text(std::uint64_t pages) const {
  if (unit_ == SizeUnit::kPages) return counted(pages, "page");
  return fmt::format("{:.{}f} {}", scaled(static_cast<double>(pages)),
                     unit_ == SizeUnit::kKib ? 0 : 2, unit());
}

Cell SizeCells::difference(const SizeChange& change) const {
  const auto [before, after] = change;
  if (unit_ == SizeUnit::kMib)
    return scaled(static_cast<double>(after)) - scaled(static_cast<double>(before));
  return SizeChange{std::get<std::uint64_t>(size(before)), std::get<std::uint64_t>(size(after))};
}

Cell SizeCells::change(std::uint64_t before, std::uint64_t after) const {
  if (unit_ == SizeUnit::kPages) return physmem::difference(before, after);
  if (unit_ == SizeUnit::kBytes)
    return physmem::difference(before << page_size_.shift(), after << page_size_.shift());
  if (unit_ == SizeUnit::kKib)
    return physmem::difference(page_size_.kib(before), page_size_.kib(after));
  if (before == after) return "0.00";
  return fmt::format("{:+.2f}",
                     scaled(static_cast<double>(after)) - scaled(static_cast<double>(before)));
}

}  // namespace physmem
