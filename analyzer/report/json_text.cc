// SPDX-License-Identifier: MIT
#include "analyzer/report/json_text.h"

#include <nlohmann/json.hpp>

namespace physmem {

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_text(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + json_text(text);
  return "[" + list + "]";
}

}  // namespace physmem
