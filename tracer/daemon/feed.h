// SPDX-License-Identifier: MIT
// Records to datagrams, round by round. Nothing in it asks for memory once it is made, but a
// changed configuration.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tracer/daemon/config.h"
#include "tracer/wire/datagram.h"

namespace physmem::daemon {

/// Takes datagrams; what cannot be sent is its own business, as on any network.
class Sender {
 public:
  virtual ~Sender() = default;
  virtual void send(std::span<const std::uint8_t> datagram) = 0;
};

class Feed {
 public:
  struct Counts {
    std::uint64_t events = 0;  ///< sent
    std::uint64_t datagrams = 0;
    std::uint64_t filtered = 0;  ///< events that nobody asked for
    std::uint64_t own = 0;       ///< events of this program itself
    std::uint64_t lost = 0;      ///< by the source
  };

  /// `session` is a number that no other run has; `own` this process.
  Feed(Sender& sender, const Config& config, std::uint64_t session, std::uint32_t own)
      : sender_(sender), config_(config), own_(own) {
    envelope_.session = session;
  }

  void set_header(const TraceHeader& header) { header_ = header; }
  const TraceHeader& header() const { return header_; }

  /// One look at what came, which may be nothing. The first and every 64th begin with the
  /// configuration.
  void round(std::span<const pm_paging_record> records);
  /// `how`: kEnd or kBroken. Told several times: a client that misses it waits for what does not
  /// come.
  void end(wire::Kind how = wire::Kind::kEnd);

  const Counts& counts() const { return counts_; }

 private:
  bool is_wanted(const pm_paging_record& record);
  void add(const pm_paging_record& record);
  void flush();
  void send(std::size_t size);

  Sender& sender_;
  const Config& config_;
  std::uint32_t own_;
  TraceHeader header_;
  wire::Envelope envelope_;
  unsigned rounds_ = 0;  // modulo 64: the document's mcount
  std::array<pm_paging_record, wire::kMaxEvents> waiting_ = {};
  std::size_t waiting_count_ = 0;
  wire::Bytes bytes_ = {};
  Counts counts_;
};

}  // namespace physmem::daemon
