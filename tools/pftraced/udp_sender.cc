// SPDX-License-Identifier: MIT
#include "tools/pftraced/udp_sender.h"

#include <poll.h>

#include <cerrno>
#include <cstring>

namespace physmem::daemon {
namespace {

constexpr int kTimeoutMs = 20;  // for room in the socket; the source's ring buffers new events

Error refused(const wire::Endpoint& endpoint, const char* what) {
  std::string text = endpoint.text() + ": " + what + ": " + std::strerror(errno);
  if (errno == EADDRNOTAVAIL) text += "; server must be an address of this machine";
  return {Error::Kind::kIo, text};
}

}  // namespace

Result<std::unique_ptr<UdpSender>> UdpSender::open(const Config& config) {
  UniqueFd socket(::socket(config.client.family(), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return refused(config.client, "no socket");
  if (config.server && ::bind(socket.get(), config.server->address(), config.server->length()) != 0)
    return refused(*config.server, "cannot send from here");
  if (::connect(socket.get(), config.client.address(), config.client.length()) != 0)
    return refused(config.client, "cannot send there");
  return std::unique_ptr<UdpSender>(new UdpSender(std::move(socket)));
}

/// Returns 0 or an errno.
int UdpSender::try_send(std::span<const std::uint8_t> datagram) {
  return ::send(socket_.get(), datagram.data(), datagram.size(), MSG_NOSIGNAL) < 0 ? errno : 0;
}

void UdpSender::send(std::span<const std::uint8_t> datagram) {
  int error = try_send(datagram);
  if (error == ECONNREFUSED) {  // reported for an earlier datagram; this one was not sent yet
    ++counts_.refused;
    error = try_send(datagram);
  }
  if (error == EAGAIN) {
    pollfd wait{socket_.get(), POLLOUT, 0};
    ::poll(&wait, 1, kTimeoutMs);
    error = try_send(datagram);
  }
  if (error == 0) return;
  ++counts_.unsent;
  counts_.last_error = error;
}

}  // namespace physmem::daemon
