// SPDX-License-Identifier: MIT
#include "analyzer/shape/shared_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "analyzer/model/ram.h"
#include "analyzer/shape/cgroup_title.h"
#include "analyzer/shape/view.h"
#include "program/printable.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

/// In the order of ObjectState.
constexpr std::array<std::pair<const char*, const char*>, 5> kStates{{
    {"mapped", "mapped"},
    {"held", "held by a descriptor"},
    {"file", "a file that nobody has open"},
    {"left", "left behind"},
    {"unknown", "nobody is known"},
}};

Word state_word(ObjectState state) {
  const auto& [word, title] = kStates[static_cast<std::size_t>(state)];
  return {word, title};
}

/// The cgroup that pays for most of it.
Cell payer_of(const SharedObject& object, bool is_text) {
  const auto most =
      std::ranges::max_element(object.payers, {}, [](const auto& payer) { return payer.second; });
  if (most == object.payers.end()) return {};
  return is_text ? cgroup_title(most->first) : most->first;
}

std::uint64_t processes_of(const SharedObject& object) {
  std::set<std::uint64_t> pids;
  for (const auto& [pid, descriptor] : object.holders) pids.insert(pid);
  return pids.size();
}

std::string object_name(const SharedObject& object) {
  return object.name.empty() ? "[no name]" : object.name;
}

}  // namespace

std::vector<std::string> shared_lines(const SharedObjects& shared) {
  std::array<std::uint64_t, kStates.size()> pages{};
  std::uint64_t total = shared.nameless(), mapped = 0;
  for (const SharedObject& object : shared.objects()) {
    const std::uint64_t size = shared.has_frames() ? object.pages : object.size();
    pages[static_cast<std::size_t>(object.state)] += size;
    total += size;
    mapped += object.mapped;
  }
  const auto size = [&shared](std::uint64_t n) { return human_size(n, shared.header().page_size); };
  std::string line = fmt::format("{} of shared memory: ", size(total));
  if (shared.knows_mapped()) line += fmt::format("processes map {}", size(mapped));
  const auto add = [&](ObjectState state, const char* what) {
    if (const std::uint64_t n = pages[static_cast<std::size_t>(state)]; n != 0)
      line += fmt::format(", {} {}", size(n), what);
  };
  add(ObjectState::kHeld, "are only held by descriptors");
  add(ObjectState::kFile, "are files that nobody has open");
  add(ObjectState::kLeft, "are System V segments that nobody maps");
  add(ObjectState::kUnknown, "are of nobody that is known");
  return {line + "."};
}

Table shared_table(const SharedObjects& shared, bool is_text) {
  Table table{{"shared-objects",
               "Shared memory by object",
               {{"Size", Kind::kSize, "size"},
                {"Mapped", Kind::kSize},
                {"Swapped", Kind::kSize},
                {"Mappers", Kind::kNumber},
                {"Holders", Kind::kNumber},
                {"Charged to", Kind::kText, "payer", true},
                {"State", Kind::kText},
                {"Name", Kind::kText}}},
              {}};
  table.head.spare = {"Swapped", "Charged to", "Holders", "Mappers"};
  table.head.idle = {"Swapped"};
  for (const SharedObject& object : shared.objects()) {
    const bool knows_swap = shared.has_frames() && object.allocated;
    table.rows.push_back(
        {shared.has_frames() ? Cell(object.pages) : Cell(object.size()),
         shared.knows_mapped() ? Cell(object.mapped) : Cell(),
         knows_swap ? Cell(*object.allocated - std::min(*object.allocated, object.pages)) : Cell(),
         static_cast<std::uint64_t>(object.mappers.size()),
         shared.knows_holders() ? Cell(processes_of(object)) : Cell(), payer_of(object, is_text),
         state_word(object.state), object_name(object)});
  }
  return table;
}

Table shared_users_table(const SharedObjects& shared) {
  Table table{{"shared-users",
               "Processes that map or hold shared memory",
               {{"Name", Kind::kText},
                {"PID", Kind::kNumber, "pid"},
                {"Command", Kind::kText},
                {"Descriptor", Kind::kNumber},
                {"Mapped", Kind::kSize}}},
              {}};
  for (const SharedObject& object : shared.objects()) {
    for (const auto& [pid, pages] : object.mappers)
      table.rows.push_back({object_name(object), pid, shared.command(pid), Cell(), pages});
    for (const auto& [pid, descriptor] : object.holders)
      table.rows.push_back({object_name(object), pid, shared.command(pid), descriptor, Cell()});
  }
  return table;
}

std::vector<std::string> shared_notes(const SharedObjects& shared) {
  std::vector<std::string> notes;
  if (!shared.has_frames())
    notes.push_back(std::string("only memory that a process maps or holds: ") + kNoFrames);
  if (!shared.knows_holders())
    notes.emplace_back("the snapshot has no descriptors; physmem-collect --holders records them");
  if (shared.hidden_holders() != 0)
    notes.push_back(fmt::format("the descriptors of {} are not known; run it as root",
                                counted(shared.hidden_holders(), "process")));
  if (shared.unread() != 0)
    notes.push_back(fmt::format("the pages of {} are not known; run it as root",
                                counted(shared.unread(), "process")));
  if (shared.nameless() != 0)
    notes.push_back(fmt::format("{} of shared memory have no known object",
                                human_size(shared.nameless(), shared.header().page_size)));
  return notes;
}

}  // namespace physmem
