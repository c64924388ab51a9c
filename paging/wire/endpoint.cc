// SPDX-License-Identifier: MIT
#include "paging/wire/endpoint.h"

#include <arpa/inet.h>
#include <net/if.h>

#include <array>
#include <charconv>
#include <cstring>
#include <optional>

namespace physmem::wire {
namespace {

Error no_address(std::string_view text) {
  return {Error::Kind::kBadInput, "found \"" + std::string(text) + "\", expected " + kAddressForms};
}

std::optional<std::uint16_t> port_of(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc{} || stop != end || port == 0) return {};
  return port;
}

/// Parses the interface of a link-local address, by name or number.
std::optional<std::uint32_t> scope_of(const std::string& name) {
  if (const unsigned index = ::if_nametoindex(name.c_str()); index != 0) return index;
  std::uint32_t index = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc{} || stop != name.data() + name.size()) return {};
  return index;
}

/// Maps IPv4 to IPv6, so that all addresses can be compared.
in6_addr as_v6(const Endpoint& endpoint) {
  if (endpoint.family() == AF_INET6)
    return reinterpret_cast<const sockaddr_in6*>(endpoint.address())->sin6_addr;
  in6_addr mapped = {};
  mapped.s6_addr[10] = mapped.s6_addr[11] = 0xFF;
  std::memcpy(&mapped.s6_addr[12],
              &reinterpret_cast<const sockaddr_in*>(endpoint.address())->sin_addr, 4);
  return mapped;
}

struct Parts {
  std::string_view host;
  std::string_view port;  ///< empty: not given
  bool is_whole = true;   ///< false: wrong brackets or colons
};

Parts parts_of(std::string_view text) {
  if (!text.empty() && text.front() == '[') {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return {.host = {}, .port = {}, .is_whole = false};
    const std::string_view rest = text.substr(close + 1);
    if (rest.empty()) return {.host = text.substr(1, close - 1), .port = {}};
    return {text.substr(1, close - 1), rest.substr(1), rest.front() == ':' && rest.size() > 1};
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || text.find(':', colon + 1) != std::string_view::npos)
    return {.host = text, .port = {}};
  return {text.substr(0, colon), text.substr(colon + 1), colon + 1 < text.size()};
}

}  // namespace

Endpoint::Endpoint(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET || address.ss_family == AF_INET6) address_ = address;
}

Result<Endpoint> Endpoint::parse(std::string_view text, std::uint16_t port) {
  const Parts parts = parts_of(text);
  if (!parts.is_whole) return no_address(text);
  if (!parts.port.empty()) {
    const std::optional<std::uint16_t> own = port_of(parts.port);
    if (!own) return no_address(text);
    port = *own;
  }
  Endpoint endpoint;
  if (const std::string host(parts.host);
      ::inet_pton(AF_INET, host.c_str(), &endpoint.v4().sin_addr) == 1) {
    endpoint.v4().sin_family = AF_INET;
    endpoint.v4().sin_port = htons(port);
    return endpoint;
  }
  const std::size_t percent = parts.host.find('%');
  const std::string host(parts.host.substr(0, percent));
  if (::inet_pton(AF_INET6, host.c_str(), &endpoint.v6().sin6_addr) != 1) return no_address(text);
  if (percent != std::string_view::npos) {
    const std::optional<std::uint32_t> scope =
        scope_of(std::string(parts.host.substr(percent + 1)));
    if (!scope) return no_address(text);
    endpoint.v6().sin6_scope_id = *scope;
  }
  endpoint.v6().sin6_family = AF_INET6;
  endpoint.v6().sin6_port = htons(port);
  return endpoint;
}

std::uint16_t Endpoint::port() const {
  return ntohs(family() == AF_INET ? v4().sin_port : v6().sin6_port);
}

bool Endpoint::is_same_host(const Endpoint& other) const {
  if (family() == 0 || other.family() == 0) return false;
  const in6_addr mine = as_v6(*this), theirs = as_v6(other);
  return std::memcmp(&mine, &theirs, sizeof(mine)) == 0;
}

std::string Endpoint::host() const {
  std::array<char, INET6_ADDRSTRLEN> text = {};
  if (family() == 0) return "-";
  const void* const address = family() == AF_INET ? static_cast<const void*>(&v4().sin_addr)
                                                  : static_cast<const void*>(&v6().sin6_addr);
  return ::inet_ntop(family(), address, text.data(), text.size()) == nullptr ? "-" : text.data();
}

std::string Endpoint::text() const {
  const std::string number = std::to_string(port());
  return family() == AF_INET6 ? "[" + host() + "]:" + number : host() + ":" + number;
}

}  // namespace physmem::wire
