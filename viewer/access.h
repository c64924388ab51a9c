// SPDX-License-Identifier: MIT
// Who may look: whoever knows the token, from a page that this server served, by a name that is
// this server's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace physmem::view {

/// 128 random bits, hexadecimal.
std::string random_token();

class Access {
 public:
  /// `names`: host names that are accepted beside numeric addresses and localhost.
  Access(std::string token, std::vector<std::string> names);

  /// Without a token in `target` nothing is answered. Takes the same time however much of it is
  /// right.
  bool has_token(std::string_view target) const;
  /// A name that somebody's DNS server points here (rebinding) is not ours; a numeric address
  /// cannot be pointed. Any port: `ssh -L 9000:127.0.0.1:8080` makes it another one for the
  /// browser.
  bool is_own_host(std::string_view host) const;
  /// Browsers send the origin of the page with every WebSocket: it must be ours. Without one it is
  /// no browser.
  bool is_own_origin(std::string_view origin, std::string_view host) const;

  const std::string& token() const { return token_; }

 private:
  std::string token_;
  std::vector<std::string> names_;
};

/// The path of a request's target, without the query.
std::string_view path_of(std::string_view target);

}  // namespace physmem::view
