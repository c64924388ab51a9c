// SPDX-License-Identifier: MIT
#include "analyzer/input/forms.h"

#include <array>
#include <cstddef>

namespace physmem {
namespace {

constexpr std::array<FormText, 9> kForms{{
    {"text", {".txt"}, "readable text"},
    {"csv", {".csv"}, "comma-separated values"},
    {"json", {".json", ".jsonl"}, "one JSON document"},
    {"ps", {".ps"}, "charts and maps as PostScript, A4 pages"},
    {"pdf", {".pdf"}, "charts and maps as PDF"},
    {"svg", {".svg"}, "charts and maps as one SVG picture"},
    {"png", {".png"}, "charts and maps as one PNG picture"},
    {"sqlite",
     {".db", ".sqlite"},
     "a database of processes, areas, files, classes of RAM, cached files and counters of all "
     "snapshots, instead of an analysis (docs/sqlite.md)"},
    {"perfetto",
     {".perfetto-trace"},
     "a trace of a series for ui.perfetto.dev: PSS, RSS, swap and faults of each process, classes "
     "of RAM"},
}};

}  // namespace

std::span<const FormText> forms() {
  return kForms;
}

std::string_view name(Format format) {
  return kForms[static_cast<std::size_t>(format)].name;
}

std::optional<Format> form_of_ending(std::string_view ending) {
  for (std::size_t i = 0; i < kForms.size(); ++i)
    for (const char* const one : kForms[i].endings)
      if (one != nullptr && ending == one) return static_cast<Format>(i);
  return std::nullopt;
}

}  // namespace physmem
