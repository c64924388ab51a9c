// SPDX-License-Identifier: MIT
#include "collector-proc/ram/cgroup_totals.h"

#include <array>
#include <span>
#include <string>

#include "collector-proc/proc_tree.h"
#include "collector-proc/ram/cgroup_tree.h"
#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

using Part = std::optional<std::uint64_t> CgroupTotals::*;

/// Names in memory.stat. Those of version 1 without "total_" leave out the groups below.
struct GroupField {
  Part part;
  const char* name;
  const char* version_1;
  const char* version_2;
};
constexpr std::array<GroupField, 4> kGroupFields{
    {{&CgroupTotals::anon, "anon", "total_rss ", "anon "},
     {&CgroupTotals::file, "file", "total_cache ", "file "},
     {&CgroupTotals::shmem, "shmem", "total_shmem ", "shmem "},
     {&CgroupTotals::page_tables, "page_tables", nullptr, "pagetables "}}};

/// A number of a group. Files are read once if their rows follow each other.
struct StateField {
  const char* name;
  const char* file;
  const char* line;  ///< its beginning; "": the file has one number
  bool is_size;      ///< bytes, written in kB; a limit of "max" has no counter
};
constexpr std::array<StateField, 11> kStatesOfVersion2{
    {{"current_kB", "memory.current", "", true},
     {"limit_kB", "memory.max", "", true},
     {"high_kB", "memory.high", "", true},
     {"swap_kB", "memory.swap.current", "", true},
     {"slab_kB", "memory.stat", "slab ", true},
     {"slab_reclaimable_kB", "memory.stat", "slab_reclaimable ", true},
     {"sockets_kB", "memory.stat", "sock ", true},
     {"percpu_kB", "memory.stat", "percpu ", true},
     {"high_events", "memory.events", "high ", false},
     {"limit_events", "memory.events", "max ", false},
     {"oom_kills", "memory.events", "oom_kill ", false}}};
constexpr std::array<StateField, 4> kStatesOfVersion1{
    {{"current_kB", "memory.usage_in_bytes", "", true},
     {"limit_kB", "memory.limit_in_bytes", "", true},
     {"limit_events", "memory.failcnt", "", false},
     {"oom_kills", "memory.oom_control", "oom_kill ", false}}};
/// Version 1: no limit is the largest number of whole pages in 63 bits.
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 62;

void add_states(const CgroupFolder& group, std::span<const StateField> fields,
                std::vector<Counter>& counters) {
  const std::string prefix = "cgroup." + std::to_string(group.id) + ".";
  add_counters(prefix, {{"parent", group.parent}}, counters);
  ReadBuffer text;
  std::string_view file;
  bool is_read = false;
  for (const StateField& field : fields) {
    if (file != field.file) is_read = read_at(group.folder, field.file, text) == Access::kRead;
    file = field.file;
    const auto number = is_read ? number_of_line(text.text(), field.line) : std::nullopt;
    if (!number || *number >= kNoLimit) continue;
    add_counters(prefix, {{field.name, field.is_size ? *number >> 10 : *number}}, counters);
  }
  if (read_at(group.folder, "memory.pressure", text) == Access::kRead)
    parse_pressure(text.text(), prefix, counters);
}

/// Version 2 has it in every group.
std::optional<std::uint64_t> cpu_time(const CgroupFolder& group) {
  ReadBuffer text;
  if (group.is_version_1 || read_at(group.folder, "cpu.stat", text) != Access::kRead)
    return std::nullopt;
  return number_of_line(text.text(), "usage_usec ");
}

}  // namespace

CgroupTotals parse_memory_stat(std::string_view text, bool is_version_1, std::uint64_t page_size) {
  CgroupTotals totals;
  for (const GroupField& field : kGroupFields) {
    const char* const name = is_version_1 ? field.version_1 : field.version_2;
    const auto bytes = name == nullptr ? std::nullopt : number_of_line(text, name);
    if (bytes) totals.*field.part = *bytes / page_size;
  }
  const auto charged = number_of_line(text, "total_pgpgin ");
  const auto uncharged = number_of_line(text, "total_pgpgout ");
  if (charged && uncharged) totals.activity = *charged + *uncharged;
  return totals;
}

std::vector<Counter> read_cgroup_states(int sys) {
  std::vector<Counter> counters;
  for_each_cgroup(sys, [&](const CgroupFolder& group) {
    if (group.path == "/") return;
    if (group.is_version_1)
      add_states(group, kStatesOfVersion1, counters);
    else
      add_states(group, kStatesOfVersion2, counters);
  });
  return counters;
}

std::vector<Counter> read_cgroup_totals(int sys, std::string_view when, std::uint64_t page_size) {
  std::vector<Counter> counters;
  ReadBuffer text;
  for_each_cgroup(sys, [&](const CgroupFolder& group) {
    const bool is_before = when == "before";
    // The CPU time is read around memory.stat, so that nothing in between is missed.
    const auto early = is_before ? cpu_time(group) : std::nullopt;
    if (group.path == "/" || read_at(group.folder, "memory.stat", text) != Access::kRead) return;
    CgroupTotals totals = parse_memory_stat(text.text(), group.is_version_1, page_size);
    if (!totals.activity) totals.activity = is_before ? early : cpu_time(group);
    const std::string name = "cgroup." + std::to_string(group.id) + ".";
    if (is_before) add_counters(name, {{"parent", group.parent}}, counters);
    const std::string prefix = name + std::string(when) + ".";
    for (const GroupField& field : kGroupFields)
      if (totals.*field.part) add_counters(prefix, {{field.name, *(totals.*field.part)}}, counters);
    if (totals.activity) add_counters(prefix, {{"activity", *totals.activity}}, counters);
  });
  return counters;
}

}  // namespace physmem::collect
