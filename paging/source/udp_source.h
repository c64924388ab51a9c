// SPDX-License-Identifier: MIT
// Paging events from the datagrams of a pftraced on this or another machine.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "paging/source/event_source.h"
#include "paging/wire/receiver.h"
#include "program/clock.h"
#include "program/unique_fd.h"

namespace physmem {

struct UdpOptions {
  std::string listen = "127.0.0.1";  ///< a numeric address, with or without a port
  /// Accept datagrams from this host only; empty: the sender of the first configuration.
  std::optional<wire::Endpoint> server = {};
  int receive_buffer = 4 << 20;  ///< bytes; the system may grant fewer
};

class UdpSource : public EventSource {
 public:
  static Result<std::unique_ptr<UdpSource>> open(const UdpOptions& options,
                                                 Clock& clock = system_clock());

  /// Never returns kEnd: another daemon may start after one has ended.
  Result<State> pump(PagingSink& sink, std::chrono::milliseconds timeout) override;
  /// Reports that the daemon has ended, lost its source, or is silent. It sends at least ten times
  /// in 64 s.
  std::string trouble() const override;
  int descriptor() const override { return socket_.get(); }

  const wire::Receiver& receiver() const { return receiver_; }
  /// Datagrams dropped because the socket buffer was full. The receiver counts them as missing,
  /// unless it would have ignored them.
  std::uint64_t without_room() const { return without_room_; }
  /// Time since the last accepted datagram.
  std::chrono::seconds silence() const {
    return std::chrono::duration_cast<std::chrono::seconds>(clock_.now() - heard_);
  }
  /// A running daemon sends at least every 6.4 s; some of these datagrams may be lost.
  static constexpr std::chrono::seconds kMaxSilence{30};
  /// The address it listens on. With port 0 this contains the port chosen by the system.
  wire::Endpoint endpoint() const;

 private:
  UdpSource(UniqueFd socket, const UdpOptions& options, Clock& clock)
      : socket_(std::move(socket)), clock_(clock), receiver_(options.server) {}
  bool take_one(PagingSink& sink);

  UniqueFd socket_;
  Clock& clock_;
  wire::Receiver receiver_;
  std::uint64_t without_room_ = 0;
  Clock::TimePoint heard_ = clock_.now();
};

}  // namespace physmem
