// SPDX-License-Identifier: MIT
// Writes any trace as a Perfetto trace. Packets follow the rules of protobuf and have the expected
// fields. Each track is described before it has events, and each name is defined before it is used.
// Slices end and do not overlap on their track.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "paging/parse/trace_reader.h"
#include "paging/write/export_writers.h"
#include "program/printable.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/pieces.h"

namespace {

using namespace physmem;

struct Field {
  std::uint64_t number = 0;
  bool is_bytes = false;
  std::uint64_t value = 0;
  std::string_view bytes;
};

/// The fields of a message, in order.
class Fields {
 public:
  explicit Fields(std::string_view message) : rest_(message) {}
  std::optional<Field> next() {
    if (rest_.empty()) return {};
    const std::uint64_t tag = varint();
    Field field{tag >> 3, (tag & 7) == 2, varint(), {}};
    PHYSMEM_CHECK(field.number != 0 && (field.is_bytes || (tag & 7) == 0));
    if (!field.is_bytes) return field;
    PHYSMEM_CHECK(field.value <= rest_.size());
    field.bytes = rest_.substr(0, field.value);
    rest_.remove_prefix(field.value);
    return field;
  }

 private:
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      PHYSMEM_CHECK(!rest_.empty() && shift < 64);
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      PHYSMEM_CHECK(shift < 63 || byte <= 1);
      value |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
  }
  std::string_view rest_;
};

void check_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    PHYSMEM_CHECK(length != 0);
    text.remove_prefix(length);
  }
}

/// Checks the packets in order. Field numbers are defined in protos/perfetto/trace.
class Checker {
 public:
  void check(std::string_view trace) {
    Fields packets(trace);
    while (const auto packet = packets.next()) {
      PHYSMEM_CHECK(packet->number == 1 && packet->is_bytes);
      check_packet(packet->bytes);
    }
    for (const auto& [track, depth] : open_) PHYSMEM_CHECK(depth == 0);
  }

 private:
  void check_packet(std::string_view packet) {
    Fields fields(packet);
    bool has_sequence = false;
    while (const auto field = fields.next()) {
      has_sequence = has_sequence || (field->number == 10 && field->value == 1);
      if (field->number == 11) check_event(field->bytes);
      if (field->number == 12) check_names(field->bytes);
      if (field->number == 60) check_description(field->bytes);
      PHYSMEM_CHECK(std::set<std::uint64_t>({6, 8, 10, 11, 12, 13, 60}).count(field->number) != 0);
    }
    PHYSMEM_CHECK(has_sequence);
  }

  void check_description(std::string_view description) {
    Fields fields(description);
    while (const auto field = fields.next()) {
      if (field->number == 1)
        PHYSMEM_CHECK(field->value != 0 && tracks_.insert(field->value).second);
      if (field->number == 2) check_utf8(field->bytes);
      if (field->number != 3 && field->number != 4) continue;
      Fields of(field->bytes);
      while (const auto one = of.next())
        if (one->is_bytes) check_utf8(one->bytes);
    }
  }

  void check_names(std::string_view data) {
    Fields fields(data);
    while (const auto field = fields.next()) {
      Fields of(field->bytes);
      while (const auto one = of.next()) {
        if (one->number == 1) PHYSMEM_CHECK(names_[field->number].insert(one->value).second);
        if (one->number == 2) check_utf8(one->bytes);
      }
    }
  }

  void check_event(std::string_view event) {
    constexpr std::uint64_t kDetailNames = 3;
    constexpr std::uint64_t kEventNames = 2;
    std::uint64_t type = 0;
    std::uint64_t track = 0;
    Fields fields(event);
    while (const auto field = fields.next()) {
      if (field->number == 9) type = field->value;
      if (field->number == 11) track = field->value;
      if (field->number == 10) PHYSMEM_CHECK(names_[kEventNames].count(field->value) != 0);
      if (field->number != 4) continue;
      Fields of(field->bytes);
      while (const auto one = of.next()) {
        if (one->number == 1) PHYSMEM_CHECK(names_[kDetailNames].count(one->value) != 0);
        if (one->is_bytes) check_utf8(one->bytes);
      }
    }
    PHYSMEM_CHECK(type >= 1 && type <= 4 && tracks_.count(track) != 0);
    if (type == 1) PHYSMEM_CHECK(++open_[track] == 1);
    if (type == 2) PHYSMEM_CHECK(--open_[track] == 0);
  }

  std::set<std::uint64_t> tracks_;
  std::map<std::uint64_t, std::set<std::uint64_t>> names_;  // by the field that has them
  std::map<std::uint64_t, int> open_;                       // slices, by track
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Pieces source({reinterpret_cast<const char*>(data), size}, size + 1);
  TraceReader reader(source, "f", {true});
  std::ostringstream out;
  const auto writer = perfetto_events_writer(out);
  while (true) {
    const auto more = reader.next(*writer);
    if (!more || !*more) break;
  }
  writer->end();
  Checker().check(out.str());
  return 0;
}
