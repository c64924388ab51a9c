// SPDX-License-Identifier: MIT
#include "viewer/access.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <random>

namespace physmem::view {
namespace {

bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |=
        static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return difference == 0;
}

bool is_same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

bool is_numeric(std::string_view host) {
  std::array<unsigned char, 16> address{};
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    return inet_pton(AF_INET6, std::string(host.substr(1, host.size() - 2)).c_str(),
                     address.data()) == 1;
  return inet_pton(AF_INET, std::string(host).c_str(), address.data()) == 1;
}

bool is_port(std::string_view port) {
  return std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string random_token() {
  std::random_device random;  // getrandom(2) or the CPU's generator
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", static_cast<std::uint32_t>(random()));
  return token;
}

Access::Access(std::string token, std::vector<std::string> names)
    : token_(std::move(token)), names_(std::move(names)) {}

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}

bool Access::has_token(std::string_view target) const {
  const std::size_t query = target.find('?');
  if (query == std::string_view::npos) return false;
  std::string_view rest = target.substr(query + 1);
  while (!rest.empty()) {
    const std::string_view field = rest.substr(0, rest.find('&'));
    constexpr std::string_view kKey = "token=";
    if (field.starts_with(kKey)) return is_same(field.substr(kKey.size()), token_);
    rest.remove_prefix(std::min(rest.size(), field.size() + 1));
  }
  return false;
}

bool Access::has_bearer_token(std::string_view authorization) const {
  constexpr std::string_view kScheme = "bearer ";
  return is_same_name(authorization.substr(0, kScheme.size()), kScheme) &&
         is_same(authorization.substr(kScheme.size()), token_);
}

bool Access::is_own_host(std::string_view host) const {
  const std::size_t colon = host.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos;
  const std::string_view name = has_port ? host.substr(0, colon) : host;
  if (has_port && !is_port(host.substr(colon + 1))) return false;
  return is_numeric(name) || is_same_name(name, "localhost") ||
         std::any_of(names_.begin(), names_.end(),
                     [&](const auto& n) { return is_same_name(name, n); });
}

bool Access::is_own_origin(std::string_view origin, std::string_view host) const {
  constexpr std::string_view kScheme = "http://";
  return origin.empty() ||
         (origin.starts_with(kScheme) && is_same_name(origin.substr(kScheme.size()), host));
}

}  // namespace physmem::view
