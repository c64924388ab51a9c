// SPDX-License-Identifier: MIT
#include "paging/wire/datagram.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "analyzer/model/units.h"
#include "paging/model/paging_record.h"
#include "paging/wire/bytes.h"

namespace physmem::wire {
namespace {

constexpr std::string_view kMagic = "PFTR";
constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kMaxText = 64;
constexpr std::size_t kAreaBytes = 12;  // without the name
constexpr std::uint32_t kMinPage = 4096, kMaxPage = 1 << 20;

void put_envelope(Writer& out, Kind kind, std::size_t count, const Envelope& envelope) {
  out.put(kMagic);
  out.put(kVersion);
  out.put(static_cast<std::uint8_t>(kind));
  out.put(static_cast<std::uint16_t>(count));
  out.put(envelope.session);
  out.put(envelope.number);
  out.put(envelope.lost);
  out.put(envelope.events_sent);
}

void put_record(Writer& out, const pm_paging_record& record) {
  for (const std::uint64_t value : {record.sequence, record.time_ns, record.address, record.pfn,
                                    record.slot, record.sector, record.service_ns})
    out.put(value);
  for (const std::uint32_t value : {record.pid, record.tgid, record.flags}) out.put(value);
  out.put(record.cpu);
  out.put(record.kind);
  out.put(record.swap_type);
  out.put(std::string_view(record.comm, sizeof(record.comm)));
}

/// The end of a long path is more informative than its beginning.
std::string_view tail(std::string_view name, std::size_t limit) {
  return name.substr(name.size() - std::min(name.size(), limit));
}

void put_areas(Writer& out, const TraceHeader& header, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const SwapArea& area = header.swap_areas[i];
    // The remaining room is shared evenly, so that every area is included.
    const std::string_view name = tail(area.name, out.room() / (count - i) - kAreaBytes);
    out.put(area.slots);
    out.put(area.type);
    out.put(static_cast<std::uint8_t>(area.kind));
    out.put(static_cast<std::uint16_t>(name.size()));
    out.put(name);
  }
}

Error at(std::size_t byte, const std::string& what) {
  return {Error::Kind::kBadInput, "datagram, byte " + std::to_string(byte) + ": " + what};
}

pm_paging_record get_record(Reader& in) {
  pm_paging_record record = {};
  for (auto* const value : {&record.sequence, &record.time_ns, &record.address, &record.pfn,
                            &record.slot, &record.sector, &record.service_ns})
    *value = in.get<std::uint64_t>();
  for (auto* const value : {&record.pid, &record.tgid, &record.flags})
    *value = in.get<std::uint32_t>();
  record.cpu = in.get<std::uint16_t>();
  record.kind = in.get<std::uint8_t>();
  record.swap_type = in.get<std::uint8_t>();
  const std::string_view comm = in.text(sizeof(record.comm));
  std::copy(comm.begin(), comm.end(), record.comm);
  return record;
}

Status read_events(Reader& in, std::size_t count, Datagram& into) {
  if (count == 0 || count > kMaxEvents)
    return at(6, "found " + std::to_string(count) + " events, expected 1 to " +
                     std::to_string(kMaxEvents));
  if (in.left() != count * kRecordBytes)
    return at(in.position(), "found " + std::to_string(in.left()) + " bytes for " +
                                 std::to_string(count) + " events, expected " +
                                 std::to_string(count * kRecordBytes));
  into.events.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = in.position();
    const pm_paging_record record = get_record(in);
    if (record.kind != PM_PAGING_IN && record.kind != PM_PAGING_OUT)
      return at(begin + 70,
                "found kind " + std::to_string(record.kind) + ", expected 1 (in) or 2 (out)");
    if (record.comm[PM_PAGING_COMM - 1] != 0)
      return at(begin + 87, "found a command without end, expected a 0");
    into.events.push_back(event_of(record));
  }
  return {};
}

Status read_areas(Reader& in, std::size_t count, TraceHeader& header) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = in.position();
    SwapArea area;
    area.slots = in.get<std::uint64_t>();
    area.type = in.get<std::uint8_t>();
    const auto kind = in.get<std::uint8_t>();
    area.name = in.text(in.get<std::uint16_t>());
    if (in.is_short()) return at(begin, "the swap area is cut short");
    if (kind > static_cast<std::uint8_t>(SwapAreaKind::kZram))
      return at(begin + 9,
                "found " + std::to_string(kind) + " as kind of a swap area, expected 0 to 2");
    const auto is_same = [&area](const SwapArea& other) { return other.type == area.type; };
    if (std::any_of(header.swap_areas.begin(), header.swap_areas.end(), is_same))
      return at(begin + 8, "swap area " + std::to_string(area.type) + " appears twice");
    area.kind = static_cast<SwapAreaKind>(kind);
    header.swap_areas.push_back(std::move(area));
  }
  return {};
}

Status check_machine(const TraceHeader& header) {
  if (header.frames_end > kMaxFrames)
    return at(kEnvelopeBytes + 8, "found " + std::to_string(header.frames_end) +
                                      " as end of the frame numbers, expected at most 2^52");
  if (!std::has_single_bit(header.page_size) || header.page_size < kMinPage ||
      header.page_size > kMaxPage)
    return at(kEnvelopeBytes + 24, "found a page size of " + std::to_string(header.page_size) +
                                       " bytes, expected a power of two from 4096 to 1048576");
  return {};
}

Status read_configuration(Reader& in, std::size_t count, Datagram& into) {
  if (count > kMaxAreas)
    return at(6, "found " + std::to_string(count) + " swap areas, expected at most " +
                     std::to_string(kMaxAreas));
  TraceHeader header;
  header.memory_bytes = in.get<std::uint64_t>();
  header.frames_end = in.get<std::uint64_t>();
  header.wall_offset_ns = static_cast<std::int64_t>(in.get<std::uint64_t>());
  header.page_size = in.get<std::uint32_t>();
  const auto arch = in.get<std::uint8_t>(), kernel = in.get<std::uint8_t>(),
             source = in.get<std::uint8_t>();
  const auto zero = in.get<std::uint8_t>();
  header.arch = in.text(arch);
  header.kernel = in.text(kernel);
  header.source = in.text(source);
  if (in.is_short()) return at(kEnvelopeBytes, "the configuration is cut short");
  if (zero != 0) return at(kEnvelopeBytes + 31, "found " + std::to_string(zero) + ", expected 0");
  if (Status status = check_machine(header); !status) return status;
  if (Status status = read_areas(in, count, header); !status) return status;
  if (in.left() != 0) return at(in.position(), std::to_string(in.left()) + " bytes too many");
  into.configuration = std::move(header);
  return {};
}

Status read_body(Reader& in, std::size_t count, Datagram& into) {
  if (into.kind == Kind::kConfiguration) return read_configuration(in, count, into);
  if (into.kind == Kind::kEvents) return read_events(in, count, into);
  if (count != 0 || in.left() != 0) return at(6, "found data after the end, expected nothing");
  return {};
}

}  // namespace

std::size_t encode_configuration(const Envelope& envelope, const TraceHeader& header, Bytes& into) {
  Writer out(into);
  const std::size_t areas = std::min(header.swap_areas.size(), kMaxAreas);
  const auto cut = [](const std::string& text) {
    return std::string_view(text).substr(0, kMaxText);
  };
  put_envelope(out, Kind::kConfiguration, areas, envelope);
  out.put(header.memory_bytes);
  out.put(header.frames_end);
  out.put(static_cast<std::uint64_t>(header.wall_offset_ns));
  out.put(header.page_size);
  for (const std::string* text : {&header.arch, &header.kernel, &header.source})
    out.put(static_cast<std::uint8_t>(cut(*text).size()));
  out.put(std::uint8_t{0});
  for (const std::string* text : {&header.arch, &header.kernel, &header.source})
    out.put(cut(*text));
  put_areas(out, header, areas);
  return out.used();
}

std::size_t encode_events(const Envelope& envelope, std::span<const pm_paging_record> records,
                          Bytes& into) {
  Writer out(into);
  put_envelope(out, Kind::kEvents, records.size(), envelope);
  for (const pm_paging_record& record : records) put_record(out, record);
  return out.used();
}

std::size_t encode_end(const Envelope& envelope, Kind how, Bytes& into) {
  Writer out(into);
  put_envelope(out, how, 0, envelope);
  return out.used();
}

Result<Datagram> decode(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kEnvelopeBytes || bytes.size() > kMaxBytes)
    return at(0, "found " + std::to_string(bytes.size()) + " bytes, expected " +
                     std::to_string(kEnvelopeBytes) + " to " + std::to_string(kMaxBytes));
  Reader in(bytes);
  if (in.text(kMagic.size()) != kMagic)
    return at(0, "this is no datagram of pftraced, which begins with PFTR");
  if (const auto version = in.get<std::uint8_t>(); version != kVersion)
    return at(4, "found version " + std::to_string(version) + ", expected 1");
  const auto kind = in.get<std::uint8_t>();
  if (kind < 1 || kind > 4)
    return at(5, "found kind " + std::to_string(kind) + ", expected 1 to 4");
  Datagram datagram;
  datagram.kind = static_cast<Kind>(kind);
  const auto count = in.get<std::uint16_t>();
  datagram.envelope.session = in.get<std::uint64_t>();
  datagram.envelope.number = in.get<std::uint64_t>();
  datagram.envelope.lost = in.get<std::uint64_t>();
  datagram.envelope.events_sent = in.get<std::uint64_t>();
  if (!may_hold(datagram.envelope.number, datagram.envelope.events_sent))
    return at(32, "found " + std::to_string(datagram.envelope.events_sent) +
                      " events before this datagram, which is number " +
                      std::to_string(datagram.envelope.number));
  if (Status status = read_body(in, count, datagram); !status) return status.error();
  return datagram;
}

}  // namespace physmem::wire
