// SPDX-License-Identifier: MIT
// Packs records into datagrams, round by round. After construction, only a changed configuration
// allocates memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "paging/wire/datagram.h"
#include "tools/pftraced/config.h"

namespace physmem::daemon {

/// Sends datagrams. It handles failures itself; datagrams may be lost, as on any network.
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
    std::uint64_t filtered = 0;  ///< events excluded by the configuration
    std::uint64_t own = 0;       ///< events of this program itself
    std::uint64_t lost = 0;      ///< by the source
  };

  /// `session` must be unique per run. `own` is the id of this process.
  Feed(Sender& sender, const Config& config, std::uint64_t session, std::uint32_t own)
      : sender_(sender), config_(config), own_(own) {
    envelope_.session = session;
  }

  void set_header(const TraceHeader& header) { header_ = header; }
  const TraceHeader& header() const { return header_; }

  /// Processes one batch of records, which may be empty. The first and every 64th round begin with
  /// the configuration.
  void round(std::span<const pm_paging_record> records);
  /// `how` is kEnd or kBroken. It is sent several times, because a client that misses it would wait
  /// forever.
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
