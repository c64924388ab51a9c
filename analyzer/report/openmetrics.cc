// SPDX-License-Identifier: MIT
#include "analyzer/report/openmetrics.h"

#include <fmt/format.h>

#include <ostream>
#include <string_view>

#include "program/printable.h"

namespace physmem {
namespace {

/// Escapes a label value: \\ and \". The backslash of \ooo is escaped too.
std::string escaped(std::string_view value) {
  std::string text;
  for (const char c : for_export(value)) {
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

std::string name_of_samples(const MetricFamily& family) {
  return family.name + (family.is_counter ? "_total" : "");
}

void write_type(const std::string& name, const MetricFamily& family, std::ostream& out) {
  out << fmt::format("# TYPE {} {}\n", name, family.is_counter ? "counter" : "gauge");
}

void write_samples(const MetricFamily& family, std::ostream& out) {
  const std::string name = name_of_samples(family);
  for (const MetricSample& sample : family.samples)
    std::visit([&](auto value) { out << fmt::format("{}{} {}\n", name, labels_of(sample), value); },
               sample.value);
}

}  // namespace

void write_openmetrics(const std::vector<MetricFamily>& families, std::ostream& out) {
  for (const MetricFamily& family : families) {
    write_type(family.name, family, out);
    if (!family.unit.empty()) out << fmt::format("# UNIT {} {}\n", family.name, family.unit);
    out << fmt::format("# HELP {} {}\n", family.name, family.help);
    write_samples(family, out);
  }
  out << "# EOF\n";
}

void write_prometheus(const std::vector<MetricFamily>& families, std::ostream& out) {
  for (const MetricFamily& family : families) {
    const std::string name = name_of_samples(family);
    write_type(name, family, out);
    out << fmt::format("# HELP {} {}\n", name, family.help);
    write_samples(family, out);
  }
}

}  // namespace physmem
