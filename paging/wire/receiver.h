// SPDX-License-Identifier: MIT
// The client side of the protocol: accepts or ignores datagrams and detects losses.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "paging/parse/paging_sink.h"
#include "paging/wire/datagram.h"
#include "paging/wire/endpoint.h"

namespace physmem::wire {

/// A datagram is accepted or ignored as a whole. Ignored datagrams are counted and have no other
/// effect.
class Receiver {
 public:
  /// Sums over all sessions.
  struct Counts {
    std::uint64_t datagrams = 0;  ///< accepted
    std::uint64_t events = 0;     ///< passed on
    std::uint64_t sessions = 0;
    std::uint64_t lost_datagrams = 0;  ///< lost in the network
    std::uint64_t lost_events = 0;     ///< events in lost datagrams
    std::uint64_t lost_by_source = 0;  ///< events lost before the daemon received them
    std::uint64_t old = 0;             ///< ignored: repeated, overtaken, or from an ended session
    /// Ignored: not from pftraced, or inconsistent with earlier datagrams.
    std::uint64_t malformed = 0;
    std::uint64_t foreign = 0;  ///< ignored: from another host than the server's
    std::uint64_t early = 0;    ///< ignored: before the session's first configuration
  };

  /// Without `server`, the server is the host that sends the first configuration.
  explicit Receiver(const std::optional<Endpoint>& server = {}) : server_(server) {}

  void take(std::span<const std::uint8_t> bytes, const Endpoint& from, PagingSink& sink);

  const Counts& counts() const { return counts_; }
  bool has_configuration() const { return session_.has_value(); }
  /// The daemon reported the end of its session. Another session may follow.
  bool has_ended() const { return session_ && session_->has_ended; }
  /// The session ended because the daemon's event source failed.
  bool is_broken() const { return session_ && session_->is_broken; }
  /// The reason why the last malformed datagram was rejected.
  const std::string& last_flaw() const { return last_flaw_; }

 private:
  struct Session {
    std::uint64_t id = 0;
    Envelope next = {};  ///< expected in the next datagram if nothing is lost
    TraceHeader header = {};
    std::uint64_t time_ns = 0;  ///< of the last event
    bool has_ended = false;
    bool is_broken = false;
  };
  static constexpr std::size_t kRemembered = 64;  // ended sessions

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
