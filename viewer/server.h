// SPDX-License-Identifier: MIT
// HTTP and WebSocket on one port, in the thread of the io_context.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "program/clock.h"
#include "program/result.h"
#include "program/unique_fd.h"
#include "viewer/view.h"

namespace physmem::view {

class LiveClient;

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;               ///< 0: any free port
  std::vector<std::string> host_names;  ///< accepted in addition to numeric addresses and localhost
  std::string token;                    ///< empty: a random token
  bool is_token_secret = false;         ///< not printed, and required of every client
  std::size_t max_clients = 16;         ///< WebSockets
  std::size_t max_connections = 64;     ///< including pending requests
  /// The kernel's send buffer per page, which limits the delayed data of a slow page.
  std::size_t send_buffer = std::size_t{128} << 10;
  /// interval at which each page is asked for its next message
  std::chrono::milliseconds round{33};
  /// If set, there is no page: GET /metrics answers with this text. Clients of this machine do not
  /// need the token for it.
  std::function<std::string()> metrics = nullptr;
};

class Server {
 public:
  /// `page` is the answer to GET /. `make_view` is called per WebSocket.
  Server(boost::asio::io_context& io, ServerOptions options, std::string page,
         std::function<std::unique_ptr<View>()> make_view, Clock& clock = system_clock());
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Listens on `socket`, which listen_on() created for the address in the options, or on a new
  /// one.
  Status listen(UniqueFd socket = {});
  /// The address of the page. It contains the token if one is required, so it gives access.
  std::string url() const;
  std::uint16_t port() const;
  /// Closes the pages' connections and accepts no more. The io_context runs out of work soon after.
  void close();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace physmem::view
