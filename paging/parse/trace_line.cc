// SPDX-License-Identifier: MIT
#include "paging/parse/trace_line.h"

#include <array>
#include <bit>
#include <charconv>
#include <limits>

#include "analyzer/model/units.h"
#include "paging/model/paging_flags.h"
#include "program/printable.h"

namespace physmem {
namespace {

std::uint32_t flag_of(std::string_view word) {
  for (std::size_t i = 0; i < kPagingFlagWords.size(); ++i)
    if (word == kPagingFlagWords[i]) return 1u << i;
  return 0;
}

std::uint32_t parse_flags(LineCursor& line) {
  std::string_view words = line.word("flags");
  std::uint32_t flags = 0;
  if (words == "-") return 0;
  while (line.ok()) {
    const std::size_t blank = words.find(' ');
    const std::uint32_t flag = flag_of(words.substr(0, blank));
    if (flag == 0)
      line.refuse("flags", words.substr(0, blank),
                  "words such as io, major, readahead, or - for none");
    flags |= flag;
    if (blank == std::string_view::npos) break;
    words.remove_prefix(blank + 1);
  }
  return flags;
}

/// In kernel records, all ones mean "unknown". No valid field has that value.
std::optional<std::uint64_t> unless_unknown(std::optional<std::uint64_t> value) {
  return value == PM_PAGING_UNKNOWN ? std::nullopt : value;
}

std::optional<std::uint32_t> parse_process(LineCursor& line, const char* what) {
  const std::size_t from = line.position();
  const std::optional<std::uint64_t> id = line.dec_or_dash(what);
  if (!id) return {};
  if (*id == 0 || *id > std::numeric_limits<std::uint32_t>::max())
    line.fail(from + 2, std::string(what) + ": expected a number from 1 to 4294967295, or -");
  return static_cast<std::uint32_t>(*id);
}

std::uint16_t parse_cpu(LineCursor& line) {
  const std::size_t from = line.position();
  const std::optional<std::uint64_t> cpu = line.dec_or_dash("CPU");
  if (cpu && *cpu >= PM_PAGING_NO_CPU)
    line.fail(from + 2, "CPU: expected a number below 65535, or -");
  return static_cast<std::uint16_t>(cpu.value_or(PM_PAGING_NO_CPU));
}

std::string parse_comm(LineCursor& line) {
  const std::size_t from = line.position();
  std::string comm = line.text("name");
  if (comm.size() >= PM_PAGING_COMM || comm.find('\0') != std::string::npos)
    line.fail(from + 2, "name: expected at most 15 bytes, none of them 0");
  return comm;
}

void parse_slot(LineCursor& line, PagingEvent& event) {
  const std::string_view field = line.word("slot");
  const std::size_t colon = field.find(':');
  std::uint64_t type = PM_PAGING_NO_TYPE;
  std::uint64_t slot = PM_PAGING_UNKNOWN;
  const bool is_good = colon != std::string_view::npos &&
                       (field.substr(0, colon) == "-" ||
                        (parse_dec(field.substr(0, colon), type) && type < PM_PAGING_NO_TYPE)) &&
                       (field.substr(colon + 1) == "-" || parse_hex(field.substr(colon + 1), slot));
  if (!is_good)
    line.refuse("slot", field, "type:slot, a decimal and a hexadecimal number, each or -");
  if (type != PM_PAGING_NO_TYPE) event.swap_type = static_cast<std::uint8_t>(type);
  event.slot = unless_unknown(slot);
}

bool parse_signed(std::string_view text, std::int64_t& value) {
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc{} && stop == text.data() + text.size();
}

/// Sets one key. Returns false if the value is not valid for the key.
bool set_key(TraceHeaderLine& to, std::string_view key, std::string_view value) {
  TraceHeader& header = to.header;
  if (key == "arch") header.arch = value;
  if (key == "kernel") header.kernel = value;
  if (key == "source") header.source = value;
  if (key == "memory_bytes") return parse_dec(value, header.memory_bytes);
  if (key == "frames_end")
    return parse_dec(value, header.frames_end) && header.frames_end <= kMaxFrames;
  if (key == "wall_offset_ns") return parse_signed(value, header.wall_offset_ns);
  if (key == "trace") return value == "paging";
  if (key == "form") {
    to.is_binary = value == "binary";
    return to.is_binary || value == "text";
  }
  if (key == "page_size") {
    std::uint64_t bytes = 0;
    const bool is_good =
        parse_dec(value, bytes) && std::has_single_bit(bytes) && bytes >= 1024 && bytes <= 1u << 24;
    header.page_size = static_cast<std::uint32_t>(is_good ? bytes : 4096);
    return is_good;
  }
  return true;
}

}  // namespace

TraceHeaderLine parse_trace_header(LineCursor& line) {
  TraceHeaderLine result;
  const std::uint64_t version = line.dec("form of the trace");
  if (line.ok() && version != 1)
    line.fail(3, "form of the trace: expected 1 (is this program older than the trace?)");
  while (line.has_more()) {
    const std::size_t at = line.position() + 2;
    const std::string pair = line.text("key=value");
    const std::size_t equals = pair.find('=');
    if (line.ok() && equals == std::string::npos)
      line.fail(at, "found " + in_quotes(pair) + ", expected key=value");
    else if (line.ok() && !set_key(result, pair.substr(0, equals), pair.substr(equals + 1)))
      line.fail(at,
                "found " + in_quotes(pair) + ", expected a value as formats/trace-records.md says");
  }
  return result;
}

SwapAreaLine parse_swap_area(LineCursor& line) {
  SwapAreaLine result;
  const std::uint64_t type = line.dec("type of the swap area");
  if (line.ok() && type >= PM_PAGING_NO_TYPE)
    line.fail(3, "type of the swap area: expected a number below 255");
  result.area.type = static_cast<std::uint8_t>(type);
  const std::string_view word = line.word("kind");
  std::size_t kind = 0;
  while (kind < kSwapAreaWords.size() && word != kSwapAreaWords[kind]) ++kind;
  if (kind == kSwapAreaWords.size()) line.refuse("kind", word, "partition, file, zram or gone");
  result.is_gone = kind == 3;
  result.area.kind = static_cast<SwapAreaKind>(result.is_gone ? 0 : kind);
  result.area.slots = line.dec("slots");
  result.area.name = line.text("name of the swap area");
  return result;
}

PagingEvent parse_paging_event(LineCursor& line, PagingKind kind) {
  PagingEvent event;
  event.kind = kind;
  event.sequence = line.dec("sequence number");
  event.time_ns = line.dec("time");
  event.cpu = parse_cpu(line);
  event.pid = parse_process(line, "pid");
  event.tgid = parse_process(line, "tgid");
  event.comm = parse_comm(line);
  event.address = unless_unknown(line.hex_or_dash("address"));
  event.pfn = unless_unknown(line.hex_or_dash("frame"));
  parse_slot(line, event);
  event.sector = unless_unknown(line.hex_or_dash("sector"));
  event.flags = parse_flags(line);
  event.service_ns = unless_unknown(line.dec_or_dash("service time"));
  return event;
}

LostEvents parse_lost_events(LineCursor& line) {
  LostEvents lost;
  lost.time_ns = line.dec("time");
  const std::uint16_t cpu = parse_cpu(line);
  if (cpu != PM_PAGING_NO_CPU) lost.cpu = cpu;
  lost.count = line.dec("lost events");
  return lost;
}

TraceTotals parse_trace_totals(LineCursor& line) {
  TraceTotals totals;
  totals.ins = line.dec("swap-ins");
  totals.outs = line.dec("swap-outs");
  totals.lost = line.dec("lost events");
  return totals;
}

}  // namespace physmem
