// SPDX-License-Identifier: MIT
#include "analyzer/shape/parts_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace physmem {
namespace {

using Kind = Column::Kind;

/// "bash (12), python3": the most first.
std::string commands_text(const FilePart& part, const FileParts& parts) {
  std::map<std::string, std::uint64_t> counts;
  for (const std::uint32_t process : part.processes) ++counts[parts.processes()[process].command];
  std::vector<std::pair<std::string, std::uint64_t>> commands(counts.begin(), counts.end());
  std::ranges::stable_sort(commands, std::greater<>(),
                           &std::pair<std::string, std::uint64_t>::second);
  std::string text;
  for (const auto& [command, processes] : commands) {
    if (!text.empty()) text += ", ";
    text += processes == 1 ? command : fmt::format("{} ({})", command, processes);
  }
  return text;
}

}  // namespace

Table parts_table(const FileParts& parts) {
  Column commands{"Mapped by", Kind::kText};
  commands.is_shortened = true;
  Table table{{"unit-parts",
               "Parts of the files by the processes that map them",
               {{"File", Kind::kText},
                {"Offset", Kind::kHex},
                {"Size", Kind::kSize},
                {"Processes", Kind::kNumber},
                commands}},
              {}};
  for (const FilePart& part : parts.parts())
    table.rows.push_back({part.file, part.offset, part.pages,
                          static_cast<std::uint64_t>(part.processes.size()),
                          commands_text(part, parts)});
  return table;
}

Table part_users_table(const FileParts& parts) {
  Table table{{"unit-part-users",
               "Processes that map each part",
               {{"File", Kind::kText},
                {"Offset", Kind::kHex},
                {"Size", Kind::kSize},
                {"PID", Kind::kNumber},
                {"Command", Kind::kText}}},
              {}};
  for (const FilePart& part : parts.parts())
    for (const std::uint32_t process : part.processes)
      table.rows.push_back({part.file, part.offset, part.pages, parts.processes()[process].pid,
                            parts.processes()[process].command});
  return table;
}

}  // namespace physmem
