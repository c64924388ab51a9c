// SPDX-License-Identifier: MIT
#include "tools/monitor/pictures.h"

#include <array>
#include <optional>
#include <utility>

#include "analyzer/report/painter.h"

namespace physmem::monitor {
namespace {

std::optional<PictureFormat> format_of(const std::string& name) {
  static constexpr std::array<std::pair<const char*, PictureFormat>, 4> kEndings = {
      {{".png", PictureFormat::kPng},
       {".svg", PictureFormat::kSvg},
       {".pdf", PictureFormat::kPdf},
       {".ps", PictureFormat::kPs}}};
  for (const auto& [ending, format] : kEndings)
    if (name.ends_with(ending)) return format;
  return std::nullopt;
}

}  // namespace

Status check_picture_name(const std::string& name) {
  if (format_of(name)) return {};
  return Error{Error::Kind::kUsage, "--plot: found the name " + name +
                                        ", expected one that ends in .png, .svg, .pdf or .ps"};
}

Status draw(std::ostream& out, const std::string& name, const Series& series) {
  const std::string problem =
      paint(out, format_of(name).value_or(PictureFormat::kPng), {.series = {series}});
  if (problem.empty()) return {};
  return Error{Error::Kind::kIo, problem};
}

}  // namespace physmem::monitor
