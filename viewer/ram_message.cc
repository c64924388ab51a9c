// SPDX-License-Identifier: MIT
#include "viewer/ram_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "analyzer/analyze/ram/page_blocks.h"
#include "analyzer/analyze/ram/ram_groups.h"
#include "analyzer/model/frame_classes.h"
#include "analyzer/shape/owner_words.h"
#include "program/printable.h"

namespace physmem::view {
namespace {

using nlohmann::json;
using Rows = std::span<const OwnerRow* const>;

/// One text for all rows, because many small texts take long to parse. A line per row.
template <class Text>
std::string lines(Rows rows, Text text) {
  std::string joined;
  for (const OwnerRow* row : rows) {
    if (row != rows.front()) joined += '\n';
    joined += text(row->owner);
  }
  return joined;
}

template <class Number>
json column(Rows rows, Number number) {
  json list = json::array();
  for (const OwnerRow* row : rows) list.push_back(number(row->owner));
  return list;
}

/// The different texts, and for each row the index of its own.
template <class Text>
void put_words(json& to, const char* key, Rows rows, Text text) {
  std::map<std::string, std::size_t> known;
  json words = json::array(), of = json::array();
  for (const OwnerRow* row : rows) {
    const std::string word = text(row->owner);
    const auto [it, is_new] = known.try_emplace(word, known.size());
    if (is_new) words.push_back(word);
    of.push_back(it->second);
  }
  to[key] = {{"words", std::move(words)}, {"of", std::move(of)}};
}

void put_file_facts(json& to, Rows rows) {
  put_words(to, "file_systems", rows,
            [](const RamOwner& file) { return for_picture(file.file_system); });
  put_words(to, "devices", rows, [](const RamOwner& file) { return device_text(file.device); });
  to["inodes"] = lines(rows, [](const RamOwner& file) { return std::to_string(file.inode); });
  to["bytes"] = column(rows, [](const RamOwner& file) { return file.bytes; });
  to["links"] = column(rows, [](const RamOwner& file) { return file.links; });
}

json owner_facts(RamOwner::Kind kind, Rows rows) {
  using Kind = RamOwner::Kind;
  json facts{{"kind", owner_kind(kind)},
             {"count", rows.size()},
             {"names", lines(rows, [](const RamOwner& one) { return for_picture(one.name); })}};
  if (kind == Kind::kFile) put_file_facts(facts, rows);
  if (kind == Kind::kSlab) {
    facts["object_bytes"] = column(rows, [](const RamOwner& slab) { return slab.object_bytes; });
    facts["objects"] = column(rows, [](const RamOwner& slab) { return slab.objects_per_slab; });
  }
  if (kind == Kind::kCgroup)
    facts["dying"] = column(rows, [](const RamOwner& group) { return group.is_dying ? 1 : 0; });
  if (kind == Kind::kCgroup || kind == Kind::kTask)
    facts["numbers"] = column(rows, [](const RamOwner& owner) { return owner.number; });
  return facts;
}

json owner_groups(const RamRuns& ram) {
  json groups = json::array();
  const Rows rows = ram.owners();
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin;
    const RamOwner::Kind kind = rows[begin]->owner.kind;
    while (end < rows.size() && rows[end]->owner.kind == kind) ++end;
    groups.push_back(owner_facts(kind, rows.subspan(begin, end - begin)));
    begin = end;
  }
  return groups;
}

json zone_list(const Ledger& ledger) {
  std::map<std::string, std::uint64_t> of_nodes;
  for (const auto& [name, value] : ledger.counters_of("node")) of_nodes[name] = value;
  json list = json::array();
  for (const Zone& zone : ledger.zones()) {
    list.push_back({{"node", zone.node},
                    {"name", for_picture(zone.name)},
                    {"first", fmt::format("{:X}", zone.first_pfn)},
                    {"spanned", zone.spanned},
                    {"present", zone.present},
                    {"managed", zone.managed},
                    {"free", zone.free}});
    const auto tier = of_nodes.find(fmt::format("{}.tier", zone.node));
    if (tier != of_nodes.end()) list.back()["tier"] = tier->second;
  }
  return list;
}

/// Which frames count for which zone, by the rule of RamGroups.
json zone_spans(const std::vector<Zone>& zones) {
  RamGroups groups({RamSelection::By::kZone});
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    groups.on_zone(zones[i]);
    numbers.try_emplace(fmt::format("{} {}", zones[i].node, zones[i].name), i);
  }
  json list = json::array();
  RamRun all;
  all.pages = kMaxFrames;
  all.use = PM_RAM_HOLE;
  groups.for_each(all, [&](std::size_t group, const RamRun& part) {
    list.push_back({{"zone", numbers.at(groups.name(group))},
                    {"first", fmt::format("{:X}", part.first_pfn)},
                    {"frames", part.pages}});
  });
  return list;
}

/// Classes by their numbers.
json classes(const Ledger& ledger) {
  const Header& header = ledger.header();
  // Some of the unmarked frames are not of the kernel.
  const bool has_free_unmarked = std::ranges::any_of(ledger.explained(), [&](const auto& part) {
    return part.word == "free_no_zone" && is_free_in_no_zone(part.pages, header.page_size);
  });
  constexpr std::array kMovability{"free", "movable", "unmovable", "unknown"};
  json list = json::array();
  for (std::size_t i = 0; i < kFrameClasses; ++i) {
    const FrameClassFacts& facts = facts_of(static_cast<FrameClass>(i));
    const bool may_be_free = has_free_unmarked && facts.use == PM_RAM_UNMARKED;
    const auto how = static_cast<std::size_t>(may_be_free ? Movability::kNotKnown
                                                          : movability(facts.use, header));
    list.push_back({{"word", word_of(facts.use)},
                    {"title", facts.title},
                    {"meaning", facts.meaning},
                    {"colour", fmt::format("{:06X}", facts.colour)},
                    {"movability", is_ram(facts.use) ? kMovability.at(how) : "absent"}});
  }
  return list;
}

json class_order() {
  json order = json::array();
  for (const FrameClassFacts& facts : kFrameClassTable) order.push_back(facts.use);
  return order;
}

/// Totals of a crafted file may be any number, so they are bounded as in
/// Ledger::explained_too_much().
json explained(const Ledger& ledger) {
  json list = json::array();
  if (ledger.of(PM_RAM_UNMARKED) == 0) return list;
  for (const ExplainedPages& part : ledger.explained())
    list.push_back({{"what", class_title(std::string(part.word))},
                    {"pages", std::min(part.pages, kMaxFrames)},
                    {"is_free", part.word.starts_with("free")}});
  return list;
}

}  // namespace

json ram_facts(const RamRuns& ram) {
  return {{"runs", ram.runs().size()},
          {"frames", ram.ledger().frames()},
          {"classes", classes(ram.ledger())},
          {"class_order", class_order()},
          {"block_order", ram.ledger().header().huge_page_order()},
          {"zones", zone_list(ram.ledger())},
          {"zone_spans", zone_spans(ram.ledger().zones())},
          {"explained", explained(ram.ledger())},
          {"owners", owner_groups(ram)}};
}

void append_u32(std::string& to, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) to += static_cast<char>(value >> (8 * i) & 0xFF);
}

void append_ram_columns(std::string& to, const RamRuns& ram) {
  for (const FrameUse& run : ram.runs()) append_u32(to, run.pages);
  for (const FrameUse& run : ram.runs()) append_u32(to, run.use_and_flags);
  for (const FrameUse& run : ram.runs()) append_u32(to, run.owner);
  for (const FrameUse& run : ram.runs()) append_u32(to, run.place);
  for (const FrameUse& run : ram.runs())
    append_u32(to, run.cgroup | static_cast<std::uint32_t>(run.count) << 16);
}

}  // namespace physmem::view
