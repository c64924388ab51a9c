// SPDX-License-Identifier: MIT
#include "analyzer/report/perfetto_writer.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "program/printable.h"

namespace physmem {
namespace {

// Field numbers from protos/perfetto/trace.
constexpr unsigned kTracePacket = 1;
enum InPacket : unsigned {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kTrackDescriptor = 60
};
enum InDescriptor : unsigned {
  kUuid = 1,
  kTrackName = 2,
  kProcess = 3,
  kThread = 4,
  kParentUuid = 5,
  kCounter = 8
};
enum InEvent : unsigned {
  kDetails = 4,
  kType = 9,
  kNameIid = 10,
  kTrackUuid = 11,
  kCounterValue = 30
};
enum InInterned : unsigned { kEventNames = 2, kDetailNames = 3 };
enum InDetail : unsigned { kDetailNameIid = 1, kUint = 3, kString = 6, kPointer = 7 };
enum Type : unsigned { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounterType = 4 };

constexpr std::uint64_t kSequence = 1;      ///< one sequence: all packets come from one writer
constexpr std::uint64_t kStateCleared = 1;  ///< in the first packet: earlier names are invalid
constexpr std::uint64_t kStateNeeded = 2;
constexpr std::uint64_t kRealtime = 1;
constexpr std::uint64_t kBoottime = 6;

/// A message of protobuf's wire format.
class Message {
 public:
  Message& number(unsigned field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3);
    varint(value);
    return *this;
  }
  Message& bytes(unsigned field, std::string_view value) {
    varint(std::uint64_t{field} << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  /// Strings in protobuf must be UTF-8.
  Message& text(unsigned field, std::string_view value) { return bytes(field, for_export(value)); }
  const std::string& get() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

Message event_of(Type type, std::uint64_t track) {
  Message event;
  event.number(kType, type).number(kTrackUuid, track);
  return event;
}

}  // namespace

void PerfettoWriter::write(std::string_view packet) {
  const std::uint64_t state = has_written_ ? kStateNeeded : kStateCleared | kStateNeeded;
  Message tail;
  tail.number(kSequenceId, kSequence).number(kSequenceFlags, state);
  const std::string whole = Message().bytes(kTracePacket, std::string(packet) + tail.get()).get();
  has_written_ = true;
  out_.write(whole.data(), static_cast<std::streamsize>(whole.size()));
}

void PerfettoWriter::set_clock(std::uint64_t time_ns, std::uint64_t wall_ns) {
  const auto clock = [](std::uint64_t id, std::uint64_t ns) {
    return Message().number(1, id).number(2, ns);
  };
  Message snapshot;
  snapshot.bytes(1, clock(kBoottime, time_ns).get())
      .bytes(1, clock(kRealtime, wall_ns).get())
      .number(2, kBoottime);
  write(Message().number(kTimestamp, time_ns).bytes(kClockSnapshot, snapshot.get()).get());
}

void PerfettoWriter::describe(std::string_view descriptor) {
  write(Message().bytes(kTrackDescriptor, descriptor).get());
}

void PerfettoWriter::add_track(std::uint64_t track, std::string_view name) {
  describe(Message().number(kUuid, track).text(kTrackName, name).get());
}

void PerfettoWriter::add_process(std::uint64_t track, std::uint32_t pid, std::string_view name) {
  constexpr unsigned kPid = 1;
  constexpr unsigned kProcessName = 6;
  const Message process = Message().number(kPid, pid).text(kProcessName, name);
  describe(Message().number(kUuid, track).bytes(kProcess, process.get()).get());
}

void PerfettoWriter::add_thread(std::uint64_t track, std::uint32_t pid, std::uint32_t tid,
                                std::string_view name) {
  constexpr unsigned kPid = 1;
  constexpr unsigned kTid = 2;
  constexpr unsigned kThreadName = 5;
  const Message thread = Message().number(kPid, pid).number(kTid, tid).text(kThreadName, name);
  describe(Message().number(kUuid, track).bytes(kThread, thread.get()).get());
}

void PerfettoWriter::add_counter(std::uint64_t track, std::string_view name, CounterPlace place) {
  constexpr unsigned kUnit = 3;
  Message counter;
  if (place.unit != CounterUnit::kNone)
    counter.number(kUnit, static_cast<std::uint64_t>(place.unit));
  Message descriptor;
  descriptor.number(kUuid, track).text(kTrackName, name);
  if (place.parent != 0) descriptor.number(kParentUuid, place.parent);
  describe(descriptor.bytes(kCounter, counter.get()).get());
}

/// Writes a name once, and then refers to it by number.
std::uint64_t PerfettoWriter::number_of(Names& names, unsigned field, std::string_view name) {
  const auto at = names.find(name);
  if (at != names.end()) return at->second;
  const std::uint64_t number = names.size() + 1;
  names.emplace(name, number);
  const Message entry = Message().number(1, number).text(2, name);
  write(Message().bytes(kInternedData, Message().bytes(field, entry.get()).get()).get());
  return number;
}

/// Appends the name and details to the event.
std::string PerfettoWriter::named(std::string event, std::string_view name,
                                  const std::vector<TrackDetail>& details) {
  Message rest;
  rest.number(kNameIid, number_of(event_names_, kEventNames, name));
  for (const TrackDetail& detail : details) {
    Message one;
    one.number(kDetailNameIid, number_of(detail_names_, kDetailNames, detail.name));
    if (const auto* number = std::get_if<std::uint64_t>(&detail.value)) one.number(kUint, *number);
    if (const auto* pointer = std::get_if<TrackDetail::Pointer>(&detail.value))
      one.number(kPointer, pointer->value);
    if (const auto* text = std::get_if<std::string>(&detail.value)) one.text(kString, *text);
    rest.bytes(kDetails, one.get());
  }
  return std::move(event) + rest.get();
}

void PerfettoWriter::slice(std::uint64_t track, std::uint64_t begin_ns, std::uint64_t end_ns,
                           std::string_view name, const std::vector<TrackDetail>& details) {
  hold(begin_ns, named(event_of(kSliceBegin, track).get(), name, details));
  hold(end_ns, event_of(kSliceEnd, track).get());
}

void PerfettoWriter::instant(std::uint64_t track, std::uint64_t time_ns, std::string_view name,
                             const std::vector<TrackDetail>& details) {
  hold(time_ns, named(event_of(kInstant, track).get(), name, details));
}

void PerfettoWriter::counter(std::uint64_t track, std::uint64_t time_ns, std::uint64_t value) {
  hold(time_ns, event_of(kCounterType, track).number(kCounterValue, value).get());
}

void PerfettoWriter::hold(std::uint64_t time_ns, std::string_view event) {
  held_.push(
      {time_ns, packets_++, Message().number(kTimestamp, time_ns).bytes(kTrackEvent, event).get()});
  latest_ns_ = std::max(latest_ns_, time_ns);
  while (held_.size() > kMaxHeld || (!held_.empty() && latest_ns_ - held_.top().time_ns > kHoldNs))
    write_first();
}

void PerfettoWriter::write_first() {
  write(held_.top().bytes);
  held_.pop();
}

void PerfettoWriter::end() {
  while (!held_.empty()) write_first();
}

}  // namespace physmem
