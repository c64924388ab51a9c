// SPDX-License-Identifier: MIT
#include "collector-proc/ram/zones.h"

#include <array>
#include <utility>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

struct ZoneField {
  std::string_view name;
  std::uint64_t MemoryZone::*member;
};

constexpr std::array<ZoneField, 8> kZoneFields{{{"pages free ", &MemoryZone::free},
                                                {"min ", &MemoryZone::min},
                                                {"low ", &MemoryZone::low},
                                                {"high ", &MemoryZone::high},
                                                {"spanned ", &MemoryZone::spanned},
                                                {"present ", &MemoryZone::present},
                                                {"managed ", &MemoryZone::managed},
                                                {"start_pfn: ", &MemoryZone::first_pfn}}};

/// "Node 0, zone      DMA"
bool begin_zone(std::string_view text, MemoryZone& zone) {
  TextCursor line(text);
  if (!line.skip("Node ")) return false;
  const auto node = line.number();
  if (!node || !line.skip(", zone")) return false;
  line.skip_blanks();
  zone = {};
  zone.node = *node;
  zone.name = line.rest();
  return true;
}

/// Per-CPU lists have a line "count: N" for each CPU.
void read_field(std::string_view text, MemoryZone& zone) {
  TextCursor line(text);
  line.skip_blanks();
  for (const ZoneField& field : kZoneFields) {
    if (!line.skip(field.name)) continue;
    line.skip_blanks();
    zone.*field.member = line.number().value_or(0);
    return;
  }
  if (!line.skip("count:")) return;
  line.skip_blanks();
  zone.percpu_lists += line.number().value_or(0);
}

}  // namespace

std::vector<MemoryZone> parse_zoneinfo(std::string_view text) {
  std::vector<MemoryZone> zones;
  MemoryZone zone;
  TextCursor lines(text);
  const auto add = [&] {
    if (zone.spanned != 0) zones.push_back(std::exchange(zone, {}));
  };
  while (!lines.at_end()) {
    const std::string_view line = lines.line();
    if (line.starts_with("Node ")) add();
    if (!begin_zone(line, zone)) read_field(line, zone);
  }
  add();
  return zones;
}

}  // namespace physmem::collect
