// SPDX-License-Identifier: MIT
// Writes slices, instants and counters on tracks as a Perfetto trace (protobuf, TrackEvent).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <queue>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace physmem {

/// A detail that the viewer shows with an event. Numbers of kPointer are shown in hexadecimal.
struct TrackDetail {
  struct Pointer {
    std::uint64_t value = 0;
  };
  std::string_view name;
  std::variant<std::uint64_t, Pointer, std::string> value;
};

enum class CounterUnit : std::uint8_t { kNone = 0, kCount = 2, kBytes = 3 };  ///< of Perfetto

struct CounterPlace {
  std::uint64_t parent = 0;  ///< track that contains the counter; 0: none
  CounterUnit unit = CounterUnit::kNone;
};

/// Sorts packets by time if they are at most `kHoldNs` or `kMaxHeld` packets late. Times are ns
/// since boot.
class PerfettoWriter {
 public:
  static constexpr std::uint64_t kHoldNs = 2'000'000'000;
  static constexpr std::size_t kMaxHeld = std::size_t{1} << 16;

  explicit PerfettoWriter(std::ostream& out) : out_(out) {}

  /// Sets the wall-clock time of `time_ns`, in ns since 1970.
  void set_clock(std::uint64_t time_ns, std::uint64_t wall_ns);

  /// Describes a track. Call it before the track is used. `track`: any number except 0.
  void add_track(std::uint64_t track, std::string_view name);
  void add_process(std::uint64_t track, std::uint32_t pid, std::string_view name);
  void add_thread(std::uint64_t track, std::uint32_t pid, std::uint32_t tid, std::string_view name);
  void add_counter(std::uint64_t track, std::string_view name, CounterPlace place = {});

  void slice(std::uint64_t track, std::uint64_t begin_ns, std::uint64_t end_ns,
             std::string_view name, const std::vector<TrackDetail>& details);
  void instant(std::uint64_t track, std::uint64_t time_ns, std::string_view name,
               const std::vector<TrackDetail>& details);
  void counter(std::uint64_t track, std::uint64_t time_ns, std::uint64_t value);

  /// Writes the packets that are held. Must be the last call.
  void end();

 private:
  struct Packet {
    std::uint64_t time_ns = 0;
    std::uint64_t number = 0;  // keeps the order of packets with the same time
    std::string bytes;
  };
  struct Later {
    bool operator()(const Packet& a, const Packet& b) const {
      return a.time_ns != b.time_ns ? a.time_ns > b.time_ns : a.number > b.number;
    }
  };
  using Names = std::map<std::string, std::uint64_t, std::less<>>;

  std::uint64_t number_of(Names& names, unsigned field, std::string_view name);
  std::string named(std::string event, std::string_view name,
                    const std::vector<TrackDetail>& details);
  void describe(std::string_view descriptor);
  void hold(std::uint64_t time_ns, std::string_view event);
  void write(std::string_view packet);
  void write_first();

  std::ostream& out_;
  Names event_names_;
  Names detail_names_;
  std::priority_queue<Packet, std::vector<Packet>, Later> held_;
  std::uint64_t packets_ = 0;
  std::uint64_t latest_ns_ = 0;
  bool has_written_ = false;
};

}  // namespace physmem
