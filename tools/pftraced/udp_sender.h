// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "program/unique_fd.h"
#include "tools/pftraced/feed.h"

namespace physmem::daemon {

/// A socket that sends to one client. Datagrams lost because of a missing client or a congested
/// network are counted.
class UdpSender : public Sender {
 public:
  struct Counts {
    std::uint64_t refused = 0;  ///< ICMP port-unreachable replies
    std::uint64_t unsent = 0;   ///< datagrams that the system rejected
    int last_error = 0;         ///< errno of the last one
  };

  static Result<std::unique_ptr<UdpSender>> open(const Config& config);
  void send(std::span<const std::uint8_t> datagram) override;
  const Counts& counts() const { return counts_; }
  int descriptor() const { return socket_.get(); }

 private:
  explicit UdpSender(UniqueFd socket) : socket_(std::move(socket)) {}
  int try_send(std::span<const std::uint8_t> datagram);

  UniqueFd socket_;
  Counts counts_;
};

}  // namespace physmem::daemon
