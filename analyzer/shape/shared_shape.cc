// SPDX-License-Identifier: MIT
#include "analyzer/shape/shared_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
constexpr std::array<std::pair<const char*, const char*>, 6> kStates{{
    {"mapped", "mapped"},
    {"held", "held by a descriptor"},
    {"file", "a file, not open"},
    {"unmapped", "a file, not mapped"},
    {"left", "not removed"},
    {"unknown", "no known user"},
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
  const auto& [path, is_deleted] = most->first;
  return (is_text ? cgroup_title(path) : path) + (is_deleted ? " (deleted)" : "");
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
  std::uint64_t total = 0, mapped = 0;
  for (const SharedObject& object : shared.objects()) {
    const std::uint64_t size = shared.has_frames() ? object.pages : object.size();
    pages[static_cast<std::size_t>(object.state)] += size;
    total += size;
    mapped += object.mapped;
  }
  // If no frame shows its object, those that are mapped are among them.
  const std::uint64_t nameless =
      shared.nameless() - (shared.has_frames() ? 0 : std::min(shared.nameless(), mapped));
  total += nameless;
  const auto size = [&shared](std::uint64_t n) { return human_size(n, shared.header().page_size); };
  std::vector<std::string> parts;
  const auto add = [&](std::uint64_t n, const char* what) {
    if (n != 0) parts.push_back(fmt::format("{} {}", size(n), what));
  };
  const auto of = [&pages](ObjectState state) { return pages[static_cast<std::size_t>(state)]; };
  const std::uint64_t of_mapped = of(ObjectState::kMapped);
  if (shared.knows_mapped()) {
    add(std::min(mapped, of_mapped), "mapped by processes");
    add(of_mapped - std::min(mapped, of_mapped), "more of the same objects");
  } else {
    add(of_mapped, "of objects that processes map");
  }
  add(of(ObjectState::kHeld), "only held by descriptors");
  add(of(ObjectState::kFile), "of files that are not open");
  add(of(ObjectState::kUnmapped), "of files that are not mapped");
  add(of(ObjectState::kLeft), "of System V segments that are not mapped");
  add(of(ObjectState::kUnknown), "without a known user");
  add(nameless, "without a known object");
  return {fmt::format("{} of shared memory{}{}.", size(total), parts.empty() ? "" : ": ",
                      fmt::join(parts, ", "))};
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
  if (shared.header().ram != Header::Ram::kAll)
    notes.push_back(std::string("only memory that a process maps or holds: ") + kNoFrames);
  else if (!shared.has_frames() && shared.nameless() != 0)
    notes.push_back(std::string("only objects that a process maps or holds: ") + kNoNames);
  if (!shared.knows_holders())
    notes.emplace_back("the snapshot has no descriptors; physmem-collect --holders records them");
  if (shared.hidden_holders() != 0)
    notes.push_back(fmt::format("the descriptors of {} are not known; run it as root",
                                counted(shared.hidden_holders(), "process")));
  if (shared.unread() != 0)
    notes.push_back(fmt::format("the pages of {} are not known; run it as root",
                                counted(shared.unread(), "process")));
  if (shared.has_frames() && shared.nameless() != 0)
    notes.push_back(fmt::format("{} of shared memory have no known object",
                                human_size(shared.nameless(), shared.header().page_size)));
  return notes;
}

}  // namespace physmem
