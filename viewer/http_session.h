// SPDX-License-Identifier: MIT
// Handles one HTTP request: sends the page, upgrades to a WebSocket, or refuses.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "viewer/access.h"

namespace physmem::view {

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;

  struct Site {
    Access access;
    std::string page;
    std::string policy;  ///< Content-Security-Policy
    /// Takes over the connection. Returns false if there are too many.
    std::function<bool(boost::beast::tcp_stream&&, const Request&)> open_live;
    std::function<std::string()> metrics = nullptr;  ///< if set, only /metrics exists
    bool is_token_secret = false;  ///< /metrics requires it also of clients on this machine
  };

  HttpSession(boost::asio::ip::tcp::socket&& socket, std::shared_ptr<const Site> site);

  void read();
  void close() { stream_.close(); }
  /// True if its request had the token, or if it is finished.
  bool is_trusted() const { return is_trusted_; }

 private:
  void on_read(boost::beast::error_code error);
  void answer(const Request& request);
  /// Whether the client runs on this machine.
  bool is_local() const;
  /// Whether the request has the token, or requires none.
  bool has_access(const Request& request) const;
  bool has_path(std::string_view path) const;
  Response metrics(const Request& request) const;
  /// Empty if the request is allowed.
  std::optional<Response> refusal(const Request& request) const;
  void send(Response&& response);

  boost::beast::tcp_stream stream_;
  std::shared_ptr<const Site> site_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  std::optional<Response> response_;
  bool is_trusted_ = false;
};

/// The policy in the page's <meta>, plus a ban on frames.
std::string policy_of(const std::string& page);

}  // namespace physmem::view
