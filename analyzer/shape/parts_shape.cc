// SPDX-License-Identifier: MIT
#include "analyzer/shape/parts_shape.h"

#include <fmt/format.h>

namespace physmem {
namespace {

/// "bash (12), python3".
std::string commands_text(const FilePart& part) {
  std::string text;
  for (const auto& [command, processes] : part.commands) {
    if (!text.empty()) text += ", ";
    text += processes == 1 ? command : fmt::format("{} ({})", command, processes);
  }
  return text;
}

}  // namespace

Table parts_table(const std::vector<FilePart>& parts) {
  using Kind = Column::Kind;
  Column who{"Mapped by", Kind::kText};
  who.is_shortened = true;
  Table table{{"unit-parts",
               "Parts of the files by the processes that map them",
               {{"File", Kind::kText},
                {"Offset", Kind::kHex},
                {"Size", Kind::kSize},
                {"Processes", Kind::kNumber},
                who}},
              {}};
  for (const FilePart& part : parts)
    table.rows.push_back({part.file, part.offset, part.pages, part.processes, commands_text(part)});
  return table;
}

}  // namespace physmem
