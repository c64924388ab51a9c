// SPDX-License-Identifier: MIT
#include "program/option_value.h"

#include <climits>

#include "program/printable.h"

namespace physmem {

std::string wrong_value(std::string_view option, std::string_view found,
                        std::string_view expected) {
  return std::string(option) + ": found " + in_quotes(found, kWholePath) + ", expected " +
         std::string(expected);
}

std::string one_of(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string requires_option(std::string_view option, std::string_view other) {
  return std::string(option) + ": expected " + std::string(other) + " with it";
}

std::string conflicts_with(std::string_view option, std::string_view other) {
  return std::string(option) + ": found " + std::string(other) +
         " with it, expected only one of them";
}

std::optional<std::vector<std::uint32_t>> parse_pids(std::string_view list) {
  std::vector<std::uint32_t> pids;
  const char* const end = list.data() + list.size();
  for (const char* at = list.data();; ++at) {
    std::uint32_t pid = 0;
    const auto [next, error] = std::from_chars(at, end, pid);
    if (error != std::errc{} || pid == 0 || pid > INT_MAX) return {};
    pids.push_back(pid);
    if (next == end) return pids;
    if (*next != ',') return {};
    at = next;
  }
}

std::optional<double> parse_positive(std::string_view text, double limit) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc{} && end == text.data() + text.size();
  if (!is_whole || !(number > 0) || !(number <= limit)) return {};
  return number;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return number_of<std::uint64_t>(text);
  text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

std::optional<double> speed_of(std::string_view text) {
  if (text == "max") return 0;
  const std::optional<double> speed = number_of<double>(text);
  return speed && *speed > 0 && *speed <= kMaxSpeed ? speed : std::nullopt;
}

std::string_view foreign_ending(std::string_view name) {
  for (const std::string_view ending :
       {".gz", ".xz", ".bz2", ".lz4", ".csv", ".json", ".svg", ".png", ".pdf", ".ps", ".html"})
    if (name.ends_with(ending)) return ending;
  return {};
}

}  // namespace physmem
