// SPDX-License-Identifier: MIT
// Access control: requires the token, an allowed Host header and, for WebSockets, the same origin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace physmem::view {

/// 128 random bits in hexadecimal.
std::string random_token();

class Access {
 public:
  /// `names` are host names accepted in addition to numeric addresses and localhost.
  Access(std::string token, std::vector<std::string> names);

  /// Requests without the token in `target` are refused. The comparison takes constant time.
  bool has_token(std::string_view target) const;
  /// The same for the value of the Authorization header, "Bearer TOKEN".
  bool has_bearer_token(std::string_view authorization) const;
  /// Rejects foreign names that resolve to this server (DNS rebinding); numeric addresses are safe.
  /// Any port is accepted, because `ssh -L 9000:127.0.0.1:8080` changes the port for the browser.
  bool is_own_host(std::string_view host) const;
  /// Browsers send the page's origin with every WebSocket request; it must be this server. Clients
  /// other than browsers may send no origin.
  bool is_own_origin(std::string_view origin, std::string_view host) const;

  const std::string& token() const { return token_; }

 private:
  std::string token_;
  std::vector<std::string> names_;
};

/// The path of a request target, without the query.
std::string_view path_of(std::string_view target);

}  // namespace physmem::view
