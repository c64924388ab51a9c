// SPDX-License-Identifier: MIT
// HTTP and the WebSocket on one port, in the thread that runs the io_context.
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
  std::uint16_t port = 0;               ///< 0: one that is free
  std::vector<std::string> host_names;  ///< accepted beside numeric addresses and localhost
  std::string token;                    ///< empty: a random one
  std::size_t max_clients = 16;         ///< WebSockets
  std::size_t max_connections = 64;     ///< with those that are still asking
  std::size_t send_buffer =
      128 * 1024;  ///< the kernel's, for each page: what a slow one gets late is at most this
  std::chrono::milliseconds round{33};  ///< how often every page is asked for its next message
};

class Server {
 public:
  /// `page`: what GET / answers. `make_view`: for each page that opens the WebSocket.
  Server(boost::asio::io_context& io, ServerOptions options, std::string page,
         std::function<std::unique_ptr<View>()> make_view, Clock& clock = system_clock());
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// On `socket`, which listen_on() made for the address of the options; without one, on one of its
  /// own.
  Status listen(UniqueFd socket = {});
  /// With the token: whoever has this may look.
  std::string url() const;
  std::uint16_t port() const;
  /// Says goodbye to the pages and takes no more; the io_context runs out of work soon after.
  void close();

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace physmem::view
