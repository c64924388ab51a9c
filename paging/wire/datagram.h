// SPDX-License-Identifier: MIT
// Encodes and decodes the datagrams of formats/trace-records.md. Encoding does not allocate.
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

inline constexpr std::size_t kMaxBytes = 1472;  ///< an Ethernet frame without IPv4 and UDP headers
inline constexpr std::size_t kEnvelopeBytes = 40;
inline constexpr std::size_t kRecordBytes = 88;
inline constexpr std::size_t kMaxEvents = (kMaxBytes - kEnvelopeBytes) / kRecordBytes;
inline constexpr std::size_t kMaxAreas = 32;  ///< the kernel's MAX_SWAPFILES
static_assert(sizeof(pm_paging_record) == kRecordBytes && kMaxEvents == 16);

/// kBroken also ends the session: the event source failed.
enum class Kind : std::uint8_t { kConfiguration = 1, kEvents = 2, kEnd = 3, kBroken = 4 };

/// The beginning of every datagram.
struct Envelope {
  std::uint64_t session = 0;      ///< identifies a run of the daemon
  std::uint64_t number = 0;       ///< of this datagram in the session, from 0
  std::uint64_t lost = 0;         ///< events lost by the daemon's source so far
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

/// Whether `datagrams` can hold `events`.
constexpr bool may_hold(std::uint64_t datagrams, std::uint64_t events) {
  return events / kMaxEvents + (events % kMaxEvents != 0) <= datagrams;
}

/// Returns the number of bytes written. Strings about the machine are cut at 64 bytes. Only the
/// first 32 areas are included. Names that do not fit lose their beginning.
std::size_t encode_configuration(const Envelope& envelope, const TraceHeader& header, Bytes& into);
/// At most kMaxEvents records, of kind in or out.
std::size_t encode_events(const Envelope& envelope, std::span<const pm_paging_record> records,
                          Bytes& into);
/// Ends the session. `how` is kEnd or kBroken.
std::size_t encode_end(const Envelope& envelope, Kind how, Bytes& into);

/// Accepts only fully valid datagrams. An error names the byte.
Result<Datagram> decode(std::span<const std::uint8_t> bytes);

}  // namespace physmem::wire
