// SPDX-License-Identifier: MIT
// An IP address and a port. Numeric only, so that no name server is queried.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "program/result.h"

namespace physmem::wire {

/// The default port on which clients of `pftraced` listen.
inline constexpr std::uint16_t kPort = 9091;

/// The forms that parse() accepts, for messages.
inline constexpr const char* kAddressForms =
    "a numeric address such as 192.0.2.1, 192.0.2.1:9091, 2001:db8::1 or [2001:db8::1]:9091";

class Endpoint {
 public:
  Endpoint() = default;
  explicit Endpoint(const sockaddr_storage& address);

  /// Accepts `192.0.2.1`, `192.0.2.1:9091`, `2001:db8::1`, `[2001:db8::1]:9091`, `fe80::1%eth0`.
  /// `port` is the default port.
  static Result<Endpoint> parse(std::string_view text, std::uint16_t port);

  int family() const { return address_.ss_family; }  ///< AF_INET, AF_INET6; 0: no address
  std::uint16_t port() const;
  const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&address_); }
  socklen_t length() const {
    return family() == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  }

  /// An IPv4-mapped IPv6 address (::ffff:192.0.2.1) equals its IPv4 address.
  bool is_same_host(const Endpoint& other) const;
  std::string host() const;
  std::string text() const;  ///< as accepted by parse(), with the port

 private:
  sockaddr_in& v4() { return reinterpret_cast<sockaddr_in&>(address_); }
  const sockaddr_in& v4() const { return reinterpret_cast<const sockaddr_in&>(address_); }
  sockaddr_in6& v6() { return reinterpret_cast<sockaddr_in6&>(address_); }
  const sockaddr_in6& v6() const { return reinterpret_cast<const sockaddr_in6&>(address_); }

  sockaddr_storage address_ = {};
};

}  // namespace physmem::wire
