// SPDX-License-Identifier: MIT
#include "analyzer/report/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "program/printable.h"

namespace physmem {

std::string without_controls(std::string json) {
  std::string result;
  for (std::string_view rest = json; !rest.empty();) {
    // The JSON writer has escaped controls below U+0020 and replaced invalid UTF-8.
    const std::size_t length = std::max<std::size_t>(utf8_length(rest), 1);
    const char32_t code = code_point(rest);
    if (code >= 0x7F && is_control(code))
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    else
      result += rest.substr(0, length);
    rest.remove_prefix(length);
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
