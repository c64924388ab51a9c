// SPDX-License-Identifier: MIT
#include "fleet/ask/selected.h"

#include <algorithm>
#include <utility>

#include "fleet/rows/name_text.h"

namespace physmem::fleet {
namespace {

bool fits(const std::vector<NamePattern>& patterns, const std::string& name) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(),
                     [&](const auto& pattern) { return pattern.matches(name); });
}

/// The whole path fits, or the name after its last slash.
bool fits_unit(const std::vector<NamePattern>& patterns, const std::string& unit) {
  return fits(patterns, unit) || fits(patterns, unit.substr(unit.rfind('/') + 1));
}

/// The units of a question without a search, if all patterns are paths.
std::optional<std::vector<std::string>> paths_of(const std::vector<NamePattern>& patterns) {
  std::vector<std::string> paths;
  for (const NamePattern& pattern : patterns) {
    const auto path = pattern.path();
    if (!path) return std::nullopt;
    paths.push_back(escaped_name(*path));
  }
  return paths;
}

/// The machines with snapshots in the time of the selection.
Status find_machines(Store& store, const Asked& asked, Selected& selected) {
  const auto take = [&](const Row& row) -> Status {
    selected.machines.push_back({text(row, 0), name(row, 1), number(row, 2), number(row, 3),
                                 number(row, 4), number(row, 5)});
    return {};
  };
  if (Status status = store.ask(Question::kMachines, selected.selection, take); !status)
    return status;
  keep_chosen(asked, selected.machines);
  for (const Machine& machine : selected.machines) selected.host[machine.id] = machine.host;
  return {};
}

}  // namespace

void keep_chosen(const Asked& asked, std::vector<Machine>& machines) {
  if (asked.hosts.empty()) return;
  std::erase_if(machines, [&](const Machine& machine) {
    return std::none_of(asked.hosts.begin(), asked.hosts.end(), [&](const NamePattern& pattern) {
      return pattern.matches(machine.host) || pattern.is_exactly(machine.id);
    });
  });
}

std::string note_on_no_host(bool has_time) {
  std::string note = "no host with snapshots in this time matches --host";
  if (!has_time) return note;
  return note + ": it takes the latest name from --since to --until, or a machine id";
}

std::string Selected::host_of(const std::string& machine) const {
  const auto found = host.find(machine);
  return found == host.end() ? machine : found->second;
}

std::uint64_t Selected::snapshots() const {
  std::uint64_t sum = 0;
  for (const Machine& machine : machines) sum += machine.snapshots;
  return sum;
}

std::optional<std::uint64_t> known_number(const Row& row, std::size_t column) {
  const auto* const value = std::get_if<std::uint64_t>(&row.at(column));
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::uint64_t number(const Row& row, std::size_t column) {
  return known_number(row, column).value_or(0);
}

const std::string& text(const Row& row, std::size_t column) {
  static const std::string kNone;
  const auto* const value = std::get_if<std::string>(&row.at(column));
  return value != nullptr ? *value : kNone;
}

std::string name(const Row& row, std::size_t column) {
  return unescaped_name(text(row, column));
}

Result<Selected> select(Store& store, const Asked& asked) {
  Selected selected;
  if (asked.since) selected.selection.since = *asked.since;
  if (asked.until) selected.selection.before = *asked.until;
  if (asked.ends_at_present()) selected.selection.before = asked.present();
  if (Status status = find_machines(store, asked, selected); !status) return status.error();
  if (!asked.hosts.empty()) {
    selected.selection.machines.emplace();
    for (const Machine& machine : selected.machines)
      selected.selection.machines->push_back(machine.id);
  }
  if (asked.units.empty()) return selected;
  selected.selection.units = paths_of(asked.units);
  selected.units_are_paths = selected.selection.units.has_value();
  if (selected.units_are_paths) return selected;
  selected.selection.units.emplace();
  const auto take = [&](const Row& row) -> Status {
    if (fits_unit(asked.units, name(row, 0))) selected.selection.units->push_back(text(row, 0));
    return {};
  };
  const Selection time{.since = selected.selection.since, .before = selected.selection.before};
  if (Status status = store.ask(Question::kUnitNames, time, take); !status) return status.error();
  return selected;
}

}  // namespace physmem::fleet
