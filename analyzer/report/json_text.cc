// SPDX-License-Identifier: MIT
#include "analyzer/report/json_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace physmem {

std::string without_controls(std::string json) {
  std::string result;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    // The JSON writer has escaped controls below U+0020 and replaced invalid UTF-8.
    const bool is_c1 = byte == 0xC2 && static_cast<unsigned char>(json[i + 1]) < 0xA0;
    if (is_c1 || byte == 0x7F)
      result += fmt::format("\\u{:04x}", is_c1 ? static_cast<unsigned char>(json[++i]) : byte);
    else
      result += json[i];
  }
  return result;
}

std::string json_text(const std::string& text) {
  return without_controls(
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string json_text(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + json_text(text);
  return "[" + list + "]";
}

}  // namespace physmem
