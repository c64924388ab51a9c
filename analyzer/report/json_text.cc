// SPDX-License-Identifier: MIT
#include "analyzer/report/json_text.h"

#include <nlohmann/json.hpp>

#include "program/printable.h"

namespace physmem {

std::string json_text(const std::string& text) {
  return nlohmann::json(for_export(text)).dump();
}

std::string json_text(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + json_text(text);
  return "[" + list + "]";
}

}  // namespace physmem
