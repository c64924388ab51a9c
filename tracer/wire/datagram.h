// SPDX-License-Identifier: MIT
// The datagrams of formats/trace-records.md: bytes to what they say, and back. Writing them
// allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "paging/model/paging_event.h"
#include "program/result.h"

namespace physmem::wire {

inline constexpr std::size_t kMaxBytes =
    1472;  ///< what an Ethernet frame holds behind IPv4 and UDP headers
inline constexpr std::size_t kEnvelopeBytes = 40;
inline constexpr std::size_t kRecordBytes = 88;
inline constexpr std::size_t kMaxEvents = (kMaxBytes - kEnvelopeBytes) / kRecordBytes;
inline constexpr std::size_t kMaxAreas = 32;  ///< the kernel's MAX_SWAPFILES
static_assert(sizeof(pm_paging_record) == kRecordBytes && kMaxEvents == 16);

/// kBroken: an end too, but what the events came from broke off.
enum class Kind : std::uint8_t { kConfiguration = 1, kEvents = 2, kEnd = 3, kBroken = 4 };

/// What every datagram begins with.
struct Envelope {
  std::uint64_t session = 0;      ///< which run of the daemon
  std::uint64_t number = 0;       ///< of this datagram in it, from 0
  std::uint64_t lost = 0;         ///< events that the daemon's source lost so far
  std::uint64_t events_sent = 0;  ///< events in the session's datagrams before this one

  friend bool operator==(const Envelope&, const Envelope&) = default;
};

struct Datagram {
  Kind kind = Kind::kEnd;
  Envelope envelope = {};
  std::optional<TraceHeader> configuration = {};
  std::vector<PagingEvent> events = {};

  friend bool operator==(const Datagram&, const Datagram&) = default;
};

using Bytes = std::array<std::uint8_t, kMaxBytes>;

/// Whether so many events fit into so many datagrams.
constexpr bool may_hold(std::uint64_t datagrams, std::uint64_t events) {
  return events / kMaxEvents + (events % kMaxEvents != 0) <= datagrams;
}

/// Bytes that were written. Texts of the machine are cut at 64 bytes; the first 32 areas are named,
/// and names that do not fit lose their beginning.
std::size_t encode_configuration(const Envelope& envelope, const TraceHeader& header, Bytes& into);
/// At most kMaxEvents records, of kind in or out.
std::size_t encode_events(const Envelope& envelope, std::span<const pm_paging_record> records,
                          Bytes& into);
/// The session is over, and nothing follows. `how`: kEnd or kBroken.
std::size_t encode_end(const Envelope& envelope, Kind how, Bytes& into);

/// All of it is right, or it is an error that names the byte.
Result<Datagram> decode(std::span<const std::uint8_t> bytes);

}  // namespace physmem::wire
