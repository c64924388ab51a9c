// SPDX-License-Identifier: MIT
// Swap-ins and swap-outs of each process, recent and total.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "paging/fold/recent_moves.h"
#include "paging/model/packed_event.h"

namespace physmem {

struct ProcessTrace {
  static constexpr std::size_t kLast = 10;
  static constexpr std::size_t kMaxThreads = 64;

  std::uint32_t tgid = 0;  ///< 0: moves whose process is unknown
  std::uint32_t comm = 0;  ///< in the NameTable; the leader's name after the leader was seen
  bool has_leaders_name = false;
  std::uint64_t ins = 0;
  std::uint64_t outs = 0;
  std::uint64_t inferred = 0;  ///< outs with an inferred owner
  std::uint64_t event = 0;     ///< number of its last event
  std::uint32_t time_ms = 0;
  std::uint8_t kind = 0;                      ///< of its last move
  std::uint64_t address = PM_PAGING_UNKNOWN;  ///< last known address
  bool is_address_inferred = false;
  RecentMoves recent;
  std::vector<std::uint32_t> threads;  ///< threads seen, at most kMaxThreads

  /// Newest first; moves only.
  std::vector<PackedEvent> last() const;
  void add(std::uint64_t number, const PackedEvent& event);

 private:
  std::array<PackedEvent, kLast> last_{};
  std::size_t moves_ = 0;  ///< number of moves ever put into last_
};

/// Memory: at most `limit` processes of about 1 KiB. When there are more, the least recently active
/// quarter is moved to `other()`.
class ProcessActivity {
 public:
  static constexpr std::size_t kMax = 1024;

  struct Other {
    std::uint64_t processes = 0;  ///< number of times a process was moved here
    std::uint64_t ins = 0;
    std::uint64_t outs = 0;
  };

  explicit ProcessActivity(std::size_t limit = kMax) : limit_(limit) {}

  /// `dropped` is called for each process that is moved to other().
  void apply(std::uint64_t number, const PackedEvent& event,
             const std::function<void(std::uint32_t)>& dropped);

  const ProcessTrace* find(std::uint32_t tgid) const;
  /// At most `limit` processes: by moves in the last seconds, then by time of the last event.
  std::vector<const ProcessTrace*> busiest(std::uint32_t now_ms, std::size_t limit) const;
  const Other& other() const { return other_; }
  std::size_t size() const { return processes_.size(); }

 private:
  void make_room(const std::function<void(std::uint32_t)>& dropped);

  std::size_t limit_;
  std::unordered_map<std::uint32_t, ProcessTrace> processes_;
  Other other_;
};

}  // namespace physmem
