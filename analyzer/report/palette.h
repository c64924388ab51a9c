// SPDX-License-Identifier: MIT
// All colours of the pictures.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace physmem {

struct Colour {
  double red = 0;
  double green = 0;
  double blue = 0;
};

constexpr Colour rgb(std::uint32_t hex) {
  const auto channel = [hex](unsigned shift) {
    return static_cast<double>((hex >> shift) & 0xFFU) / 255;
  };
  return {channel(16), channel(8), channel(0)};
}

/// `part`: 0 gives the colour itself, 1 white.
constexpr Colour lighter(Colour colour, double part) {
  const auto channel = [part](double value) { return value + (1 - value) * part; };
  return {channel(colour.red), channel(colour.green), channel(colour.blue)};
}

/// Black or white, whichever is easier to read on the colour (by its luma, ITU-R BT.601).
constexpr Colour readable_on(Colour colour) {
  const double luma = 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue;
  return luma > 0.55 ? rgb(0x000000) : rgb(0xFFFFFF);
}

inline constexpr Colour kPaper = rgb(0xFFFFFF);
inline constexpr Colour kInk = rgb(0x1A1A1A);
inline constexpr Colour kQuietInk = rgb(0x5F5F5F);
inline constexpr Colour kAxisLine = rgb(0x8C8C8C);
inline constexpr Colour kGridLine = rgb(0xDEDEDE);
inline constexpr Colour kEmptyCellLine = rgb(0xC4C4C4);
inline constexpr Colour kEmptyCellDot = rgb(0x9A9A9A);
inline constexpr Colour kUnmappedCell = rgb(0xE6E0F0);

/// From the palettes of Okabe and Ito and of Tol, in an order found by search. With normal vision
/// and simulated protanopia, deuteranopia and tritanopia (Machado 2009), neighbours differ by at
/// least 27 (CIEDE2000), their lighter forms by 10, any two by 7.
inline constexpr std::array kSeriesColours = {
    rgb(0x0072B2), rgb(0xE69F00), rgb(0x56B4E9), rgb(0x882255), rgb(0xF0E442), rgb(0x009E73),
    rgb(0x332288), rgb(0x8C8C1A), rgb(0x3B3B3B), rgb(0x8FD9B6), rgb(0x7A4A1E), rgb(0x8A8A8A)};

constexpr Colour series_colour(std::size_t series) {
  return kSeriesColours[series % kSeriesColours.size()];
}

/// A thin line needs more contrast with the paper than an area: the palette without its yellow.
constexpr Colour line_colour(std::size_t line) {
  constexpr std::size_t kYellow = 4;
  const std::size_t index = line % (kSeriesColours.size() - 1);
  return kSeriesColours[index < kYellow ? index : index + 1];
}
inline constexpr std::size_t kLineColours = kSeriesColours.size() - 1;

/// Severity 0 to 5: grey, then ColorBrewer's YlOrRd. Increasingly dark, so that it works in
/// greyscale.
inline constexpr std::array kSeverityColours = {rgb(0xF0F0F0), rgb(0xFFEDA0), rgb(0xFECC5C),
                                                rgb(0xFD8D3C), rgb(0xE31A1C), rgb(0x800026)};

constexpr Colour severity_colour(std::size_t severity) {
  return kSeverityColours[severity < kSeverityColours.size() ? severity
                                                             : kSeverityColours.size() - 1];
}

/// One mapping to ten or more: ColorBrewer's YlGnBu, interpolated to ten steps. Increasingly dark,
/// so that it works in greyscale.
inline constexpr std::array kMappingColours = {
    rgb(0xF3F3A8), rgb(0xCDEBB3), rgb(0x9BD8B8), rgb(0x66C2BF), rgb(0x3BABC3),
    rgb(0x228DBF), rgb(0x2269AE), rgb(0x24489C), rgb(0x1B2D7E), rgb(0x060F3D)};

}  // namespace physmem
