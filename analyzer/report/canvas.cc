// SPDX-License-Identifier: MIT
#include "analyzer/report/canvas.h"

#include <algorithm>

#include "program/printable.h"

namespace physmem {
namespace {

/// The first `count` characters of valid UTF-8.
std::string_view head(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count)
    end += std::max<std::size_t>(utf8_length(text.substr(end)), 1);
  return text.substr(0, end);
}

std::string shortened(std::string_view text, std::size_t kept) {
  const std::size_t tail = kept / 2;
  const std::size_t before_tail = head(text, code_points(text) - tail).size();
  return std::string(head(text, kept - tail)) + "…" + std::string(text.substr(before_tail));
}

}  // namespace

std::string Canvas::fitted(std::string_view text, const Font& font, double room) {
  std::string shown = for_picture(text);
  if (width(shown, font) <= room) return shown;
  std::size_t fits = 0;  // characters kept around the "…"
  std::size_t too_many = code_points(shown);
  while (fits + 1 < too_many) {
    const std::size_t middle = (fits + too_many) / 2;
    (width(shortened(shown, middle), font) <= room ? fits : too_many) = middle;
  }
  return shortened(shown, fits);
}

}  // namespace physmem
