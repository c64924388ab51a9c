// SPDX-License-Identifier: MIT
// Paging events of another machine, or of this one: the datagrams that its pftraced sends here.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "program/clock.h"
#include "program/unique_fd.h"
#include "tracer/source/event_source.h"
#include "tracer/wire/receiver.h"

namespace physmem {

struct UdpOptions {
  std::string listen = "127.0.0.1";  ///< a numeric address, with a port or without
  std::optional<wire::Endpoint> server =
      {};  ///< whose datagrams count; without: whose configuration comes first
  int receive_buffer = 4 << 20;  ///< bytes; as many as the system grants
};

class UdpSource : public EventSource {
 public:
  static Result<std::unique_ptr<UdpSource>> open(const UdpOptions& options,
                                                 Clock& clock = system_clock());

  /// Never the end: another daemon may begin where one has ended.
  Result<State> pump(PagingSink& sink, std::chrono::milliseconds timeout) override;
  /// That the daemon has ended, broke off, or is not heard any more: it sends ten times in 64 s at
  /// least.
  std::string trouble() const override;
  int descriptor() const override { return socket_.get(); }

  const wire::Receiver& receiver() const { return receiver_; }
  /// Datagrams that found no room in the socket; they are among those that the receiver misses, or
  /// ignored ones.
  std::uint64_t without_room() const { return without_room_; }
  /// How long nothing that counts has come.
  std::chrono::seconds silence() const {
    return std::chrono::duration_cast<std::chrono::seconds>(clock_.now() - heard_);
  }
  /// A daemon that lives says something within 6.4 s; some of these may be lost.
  static constexpr std::chrono::seconds kMaxSilence{30};
  /// Where it listens: with the port that the system chose, when 0 was asked for.
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
