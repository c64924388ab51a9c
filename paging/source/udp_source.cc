// SPDX-License-Identifier: MIT
#include "paging/source/udp_source.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

namespace physmem {
namespace {

constexpr int kMaxDatagrams = 4096;  // datagrams per pump(), so that the caller is not blocked

Error refused(const std::string& where, const std::string& what) {
  const int error = errno;
  std::string text = where + ": " + what + ": " + std::strerror(error);
  if (error == EADDRINUSE)
    text += "; another program is listening there: stop it, or choose another port";
  if (error == EADDRNOTAVAIL) text += "; expected an address of this machine";
  return {Error::Kind::kIo, text};
}

void set_option(const UniqueFd& socket, int option, int value) {
  ::setsockopt(socket.get(), SOL_SOCKET, option, &value, sizeof(value));
}

/// Datagrams dropped by the socket so far, which the kernel reports with the next datagram
/// (SO_RXQ_OVFL).
std::optional<std::uint32_t> overflow_of(msghdr& message) {
  for (cmsghdr* control = CMSG_FIRSTHDR(&message); control != nullptr;
       control = CMSG_NXTHDR(&message, control))
    if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == SO_RXQ_OVFL) {
      std::uint32_t count = 0;
      std::memcpy(&count, CMSG_DATA(control), sizeof(count));
      return count;
    }
  return {};
}

}  // namespace

Result<std::unique_ptr<UdpSource>> UdpSource::open(const UdpOptions& options, Clock& clock) {
  const Result<wire::Endpoint> listen = wire::Endpoint::parse(options.listen, wire::kPort);
  if (!listen) return Error{Error::Kind::kUsage, "address to listen on: " + listen.error().text};
  UniqueFd socket(::socket(listen->family(), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return refused(listen->text(), "no socket");
  set_option(socket, SO_RXQ_OVFL, 1);
  // Exceeds net.core.rmem_max if permitted.
  if (::setsockopt(socket.get(), SOL_SOCKET, SO_RCVBUFFORCE, &options.receive_buffer,
                   sizeof(int)) != 0)
    set_option(socket, SO_RCVBUF, options.receive_buffer);
  if (::bind(socket.get(), listen->address(), listen->length()) != 0)
    return refused(listen->text(), "cannot listen");
  return std::unique_ptr<UdpSource>(new UdpSource(std::move(socket), options, clock));
}

wire::Endpoint UdpSource::endpoint() const {
  sockaddr_storage address = {};
  socklen_t length = sizeof(address);
  ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &length);
  return wire::Endpoint(address);
}

/// False if no datagram is available; see errno.
bool UdpSource::take_one(PagingSink& sink) {
  std::array<std::uint8_t, wire::kMaxBytes + 1> bytes;  // one more, to detect oversized datagrams
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(std::uint32_t))> control;
  sockaddr_storage from = {};
  iovec part{bytes.data(), bytes.size()};
  msghdr message = {};
  message.msg_name = &from;
  message.msg_namelen = sizeof(from);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = ::recvmsg(socket_.get(), &message, 0);
  if (size < 0) return false;
  if (const std::optional<std::uint32_t> count = overflow_of(message))
    // the counter wraps
    without_room_ += static_cast<std::uint32_t>(*count - static_cast<std::uint32_t>(without_room_));
  const std::uint64_t before = receiver_.counts().datagrams;
  receiver_.take({bytes.data(), static_cast<std::size_t>(size)}, wire::Endpoint(from), sink);
  if (receiver_.counts().datagrams != before) heard_ = clock_.now();
  return true;
}

std::string UdpSource::trouble() const {
  if (!receiver_.has_configuration()) return {};  // no session yet
  if (receiver_.is_broken()) return "pftraced ended: its event source broke off";
  if (receiver_.has_ended()) return "pftraced has ended";
  if (silence() < kMaxSilence) return {};
  return "nothing from pftraced for " + std::to_string(silence().count()) + " s";
}

Result<EventSource::State> UdpSource::pump(PagingSink& sink, std::chrono::milliseconds timeout) {
  pollfd wait{socket_.get(), POLLIN, 0};
  clock_.wait_for(timeout, {&wait, 1});
  for (int i = 0; i < kMaxDatagrams; ++i) {
    if (take_one(sink)) continue;
    if (errno == EAGAIN || errno == EINTR) break;
    return refused(endpoint().text(), "cannot receive");
  }
  return State::kMore;
}

}  // namespace physmem
