// SPDX-License-Identifier: MIT
// Any text as reports of a fleet gives reports that are the same after they are written and read
// again, or an error that names the line.
#include <cstdint>
#include <string>
#include <vector>

#include "fleet/rows/rows_text.h"
#include "tests/fuzz/check.h"

namespace {

using namespace physmem;

/// The reports before the error.
struct Reading {
  std::vector<std::string> reports;
  std::string error;
};

Reading read(std::string_view text) {
  const auto source = text_source(text);
  fleet::RowsReader reader(*source, "f");
  Reading reading;
  while (true) {
    const auto report = reader.next();
    if (!report) reading.error = report.error().text;
    if (!report || !*report) return reading;
    PHYSMEM_CHECK(fleet::above_limit(**report).empty());
    reading.reports.push_back(fleet::text_of(**report));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Reading first = read({reinterpret_cast<const char*>(data), size});
  if (!first.error.empty()) {
    const std::string& error = first.error;
    PHYSMEM_CHECK(error.starts_with("f:") && error[2] >= '1' && error[2] <= '9');
    for (const char c : error) PHYSMEM_CHECK(static_cast<unsigned char>(c) >= ' ');
  }
  std::string text(fleet::kRowsMagic);
  for (const std::string& report : first.reports) text += report;
  const Reading again = read(text);
  PHYSMEM_CHECK(again.error.empty() && again.reports == first.reports);
  return 0;
}
