// SPDX-License-Identifier: MIT
#include "fleet/ask/answers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "analyzer/analyze/many/fleet_digest.h"
#include "analyzer/analyze/many/ram_digest.h"
#include "analyzer/shape/fleet_shape.h"
#include "analyzer/shape/view.h"
#include "fleet/ask/fleet_charts.h"
#include "fleet/ask/fleet_tables.h"
#include "fleet/rows/name_text.h"

namespace physmem::fleet {
namespace {

struct Digests {
  FleetDigest units;
  RamDigest ram;
  using Machines = std::unordered_map<std::string, FleetMachines::Number>;
  Machines unit_machines, ram_machines;
  std::unordered_map<std::string, FleetDigest::UnitNumber> unit_numbers;  ///< by printable name
};

void add_machines(const std::vector<Machine>& machines, Digests& digests) {
  for (const Machine& machine : machines) {
    digests.unit_machines[machine.id] = digests.units.add_machine(
        machine.id, machine.host, machine.snapshots, {machine.first_ns, machine.last_ns});
    if (machine.ledgers == 0) continue;
    digests.ram_machines[machine.id] =
        digests.ram.add_machine(machine.id, machine.host, machine.ledgers, machine.last_ns);
  }
}

FleetDigest::UnitNumber unit_of(const Row& row, Digests& digests) {
  const std::string& printable = text(row, 0);
  if (const auto known = digests.unit_numbers.find(printable); known != digests.unit_numbers.end())
    return known->second;
  const auto unit = digests.units.number_of(name(row, 0));
  digests.unit_numbers.emplace(printable, unit);
  return unit;
}

/// Rows of machines that appeared since the machines were listed are left out. SQLite gives those
/// of one machine in a row: `last` is the machine of the row before, if there was one.
Status add_unit(const Row& row, const Digests::Machines::value_type*& last, Digests& digests) {
  if (last == nullptr || last->first != text(row, 1)) {
    const auto machine = digests.unit_machines.find(text(row, 1));
    if (machine == digests.unit_machines.end()) return {};
    last = &*machine;
  }
  digests.units.add_unit(unit_of(row, digests), last->second,
                         {.snapshots = number(row, 2),
                          .sized = number(row, 3),
                          .bytes = number(row, 4),
                          .min = number(row, 5),
                          .max = number(row, 6),
                          .seen = {known_number(row, 7), known_number(row, 8)},
                          .alerts = number(row, 9)});
  return {};
}

Status add_ram(const Row& row, Digests& digests) {
  const auto machine = digests.ram_machines.find(text(row, 2));
  if (machine == digests.ram_machines.end()) return {};
  const std::string kind = text(row, 0);
  const RamDigest::Sum sum{number(row, 3), number(row, 4), number(row, 5), number(row, 6)};
  if (kind == "class")
    digests.ram.add_class(name(row, 1), machine->second, sum);
  else
    digests.ram.add_owner(kind == "slab" ? FleetOwnerKind::kSlab : FleetOwnerKind::kFileSystem,
                          name(row, 1), machine->second, sum);
  return {};
}

Result<Digests> digests_of(Store& store, const Selected& selected) {
  Digests digests;
  add_machines(selected.machines, digests);
  const Digests::Machines::value_type* last = nullptr;
  Status status = store.ask(Question::kUnits, selected.selection,
                            [&](const Row& row) { return add_unit(row, last, digests); });
  if (!status) return status.error();
  return digests;
}

/// "units" or what the patterns chose.
std::string subject_of(const Selected& selected) {
  const auto& units = selected.selection.units;
  if (!units) return "all executable units";
  if (units->size() == 1) return unescaped_name(units->front());
  return counted(units->size(), "unit");
}

}  // namespace

Result<Answer> units_answer(Store& store, const Selected& selected, const Asked& asked) {
  auto digests = digests_of(store, selected);
  if (!digests) return digests.error();
  Answer answer;
  answer.snapshots = digests->units.snapshots();
  answer.tables.push_back(digest_table(digests->units));
  if (asked.has_picture)
    answer.charts.push_back(units_chart(digests->units, asked.top.value_or(kCharted)));
  if (digests->ram.snapshots() == 0 || selected.selection.units) return answer;
  if (Status status = store.ask(Question::kRam, selected.selection,
                                [&](const Row& row) { return add_ram(row, *digests); });
      !status)
    return status.error();
  answer.tables.push_back(fleet_classes_table(digests->ram));
  answer.tables.push_back(fleet_owners_table(digests->ram));
  return answer;
}

Result<Answer> trend_answer(Store& store, const Selected& selected, const Asked& asked) {
  std::vector<TrendRow> rows;
  std::uint64_t snapshots = 0;
  const auto take = [&](const Row& row) -> Status {
    rows.push_back({number(row, 0), number(row, 1), number(row, 2), number(row, 3), number(row, 4),
                    number(row, 5), number(row, 6), number(row, 7)});
    snapshots += rows.back().snapshots;
    return {};
  };
  if (Status status = store.ask(Question::kTrend, selected.selection, take); !status)
    return status.error();
  const std::string subject = subject_of(selected);
  Answer answer{.tables = {trend_table(rows, subject)}, .snapshots = snapshots};
  if (asked.has_picture) answer.series = {trend_series(rows, subject)};
  return answer;
}

}  // namespace physmem::fleet
