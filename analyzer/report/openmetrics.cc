// SPDX-License-Identifier: MIT
#include "analyzer/report/openmetrics.h"

#include <fmt/format.h>

#include <ostream>
#include <string_view>

#include "program/printable.h"

namespace physmem {
namespace {

/// Escapes a label value: \\, \" and \n. Other control characters become \ooo, and stray bytes
/// U+FFFD.
std::string escaped(std::string_view value) {
  std::string text;
  for (const char c : for_picture(value)) {
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text;
}

std::string labels_of(const MetricSample& sample) {
  std::string text;
  for (const auto& [name, value] : sample.labels)
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "{" : ",", name, escaped(value));
  return text.empty() ? text : text + '}';
}

}  // namespace

void write_openmetrics(const std::vector<MetricFamily>& families, std::ostream& out) {
  for (const MetricFamily& family : families) {
    out << fmt::format("# TYPE {} {}\n", family.name, family.is_counter ? "counter" : "gauge");
    if (!family.unit.empty()) out << fmt::format("# UNIT {} {}\n", family.name, family.unit);
    out << fmt::format("# HELP {} {}\n", family.name, family.help);
    for (const MetricSample& sample : family.samples)
      std::visit(
          [&](auto value) {
            out << fmt::format("{}{}{} {}\n", family.name, family.is_counter ? "_total" : "",
                               labels_of(sample), value);
          },
          sample.value);
  }
  out << "# EOF\n";
}

}  // namespace physmem
