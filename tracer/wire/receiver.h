// SPDX-License-Identifier: MIT
// What a client makes of the datagrams that arrive: which count, what was lost between them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "paging/parse/paging_sink.h"
#include "tracer/wire/datagram.h"
#include "tracer/wire/endpoint.h"

namespace physmem::wire {

/// A datagram is taken or ignored as a whole; what is ignored is counted and changes nothing else.
class Receiver {
 public:
  /// Sums over all sessions.
  struct Counts {
    std::uint64_t datagrams = 0;  ///< taken
    std::uint64_t events = 0;     ///< handed on
    std::uint64_t sessions = 0;
    std::uint64_t lost_datagrams = 0;  ///< on the way here
    std::uint64_t lost_events = 0;     ///< in these
    std::uint64_t lost_by_source = 0;  ///< events that the daemon itself did not get
    std::uint64_t old = 0;  ///< ignored: repeated, overtaken, or of a session that is over
    std::uint64_t malformed =
        0;  ///< ignored: no datagram of pftraced, or one that contradicts those before
    std::uint64_t foreign = 0;  ///< ignored: from another host than the server's
    std::uint64_t early = 0;    ///< ignored: before the session's first configuration
  };

  /// Without `server` it is the host that the first configuration comes from.
  explicit Receiver(std::optional<Endpoint> server = {}) : server_(std::move(server)) {}

  void take(std::span<const std::uint8_t> bytes, const Endpoint& from, PagingSink& sink);

  const Counts& counts() const { return counts_; }
  bool has_configuration() const { return session_.has_value(); }
  /// The daemon said that nothing follows; another session may.
  bool has_ended() const { return session_ && session_->has_ended; }
  /// It ended because what its events came from broke off.
  bool is_broken() const { return session_ && session_->is_broken; }
  /// Why the last malformed datagram was one.
  const std::string& last_flaw() const { return last_flaw_; }

 private:
  struct Session {
    std::uint64_t id = 0;
    Envelope next = {};  ///< what the next datagram says when nothing is lost
    TraceHeader header = {};
    std::uint64_t time_ns = 0;  ///< of the last event
    bool has_ended = false;
    bool is_broken = false;
  };
  static constexpr std::size_t kRemembered = 64;  // sessions that are over

  bool is_over(std::uint64_t session) const;
  bool begin(const Datagram& datagram, const Endpoint& from, PagingSink& sink);
  bool contradicts(const Envelope& envelope) const;
  void note_losses(const Datagram& datagram, PagingSink& sink);
  void hand_on(Datagram& datagram, PagingSink& sink);

  std::optional<Endpoint> server_;
  std::optional<Session> session_;
  std::array<std::uint64_t, kRemembered> over_ = {};
  std::size_t over_count_ = 0;
  Counts counts_;
  std::string last_flaw_;
};

}  // namespace physmem::wire
