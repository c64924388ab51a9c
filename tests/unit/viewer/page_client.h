// SPDX-License-Identifier: MIT
// A page without a browser. It speaks HTTP and WebSocket to a server on 127.0.0.1 and waits for its
// messages.
#pragma once

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace physmem::view {

/// An HTTP request.
struct Asked {
  std::string target = "/";
  std::string host = {};    ///< empty: 127.0.0.1 and the port
  std::string origin = {};  ///< empty: none
  std::string method = "GET";
};

struct Answer {
  int status = 0;
  std::string body = {};
  std::string policy = {};
};

/// Sends one request. The status is 0 if the server closed the connection without an answer.
Answer ask(std::uint16_t port, const Asked& asked);
/// Sends the bytes unchanged. Returns all bytes up to the close of the connection by the server.
std::string ask_raw(std::uint16_t port, const std::string& bytes);

class PageClient {
 public:
  using Json = nlohmann::json;

  /// Timeout of every wait. Only a broken server reaches it.
  static constexpr std::chrono::seconds kTimeout{60};

  /// `target` includes the token. If the server refuses, `status()` is 0 and `error()` is not
  /// empty. `receive_buffer` is the size of the kernel's buffer in bytes; 0 is its default.
  PageClient(std::uint16_t port, const std::string& target, const std::string& origin = {},
             int receive_buffer = 0);

  const std::string& error() const { return error_; }
  int status() const { return status_; }

  void send(const Json& message) { send_text(message.dump()); }
  void send_text(const std::string& text);
  void send_binary(const std::string& bytes);

  struct Received {
    bool is_binary = false;
    std::string bytes;
    Json json;  ///< of a text
  };
  /// The next message; nullopt after the timeout, or if the server closed the connection.
  std::optional<Received> next();
  /// Skips messages until one has this key and returns its value; null if none arrived.
  Json wait_for(const std::string& key, const std::function<bool(const Json&)>& is_it = nullptr);
  /// The same for a binary message that begins with this byte; empty if none arrived.
  std::string wait_for_binary(char kind,
                              const std::function<bool(const std::string&)>& is_it = nullptr);
  bool was_closed() const { return was_closed_; }
  /// Closes the connection without a closing handshake.
  void abort_connection();

 private:
  boost::asio::io_context io_;
  boost::beast::websocket::stream<boost::beast::tcp_stream> socket_;
  boost::beast::flat_buffer buffer_;
  std::string error_;
  int status_ = 0;
  bool is_reading_ = false;
  bool has_read_ = false;
  bool was_closed_ = false;
};

/// The little-endian number at offset `at` of a binary message.
inline std::uint32_t u32(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

}  // namespace physmem::view
