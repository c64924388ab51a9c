// SPDX-License-Identifier: MIT
// The client's end of a connection to the viewer, without a network.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <string_view>

#include "program/unique_fd.h"
#include "tests/fuzz/check.h"

namespace physmem {

/// All inputs share one io_context, because creating it costs more than most requests.
inline boost::asio::io_context& fuzz_io() {
  static boost::asio::io_context io{1};
  return io;
}

class PeerSocket {
 public:
  PeerSocket() : server_(fuzz_io()) {
    std::array<int, 2> ends{};
    PHYSMEM_CHECK(
        ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) == 0);
    peer_ = UniqueFd(ends[0]);
    // Beast requires a TCP socket object. It makes no system call that only TCP supports and that
    // must not fail.
    server_.assign(boost::asio::ip::tcp::v4(), ends[1]);
  }

  boost::asio::ip::tcp::socket take_server() { return std::move(server_); }

  /// Sends as much as fits into the socket buffer and removes it from `bytes`. After the last byte
  /// it shuts down the sending side.
  void send(std::string_view& bytes) {
    if (has_finished_) return;
    const ssize_t n = ::send(peer_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    const bool is_broken = n < 0 && errno != EAGAIN;
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
    if (is_broken) bytes = {};
    if (!bytes.empty()) return;
    ::shutdown(peer_.get(), SHUT_WR);
    has_finished_ = true;
  }
  /// Appends the received bytes.
  void receive(std::string& to) {
    std::array<char, 65536> piece;
    ssize_t n = 0;
    while ((n = ::recv(peer_.get(), piece.data(), piece.size(), 0)) > 0)
      to.append(piece.data(), static_cast<std::size_t>(n));
  }

 private:
  boost::asio::ip::tcp::socket server_;
  UniqueFd peer_;
  bool has_finished_ = false;
};

}  // namespace physmem
