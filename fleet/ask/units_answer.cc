// SPDX-License-Identifier: MIT
#include "fleet/ask/units_answer.h"

#include <algorithm>
#include <utility>

#include "analyzer/analyze/fleet_digest.h"
#include "analyzer/analyze/ram_digest.h"
#include "analyzer/shape/fleet_shape.h"

namespace physmem::fleet {
namespace {

struct Digests {
  FleetDigest units;
  RamDigest ram;
  std::map<std::string, FleetMachines::Number> unit_machines, ram_machines;
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

/// Rows of machines that appeared since the machines were listed are left out.
Status add_unit(const Row& row, Digests& digests) {
  const auto machine = digests.unit_machines.find(text(row, 1));
  if (machine == digests.unit_machines.end()) return {};
  digests.units.add_unit(name(row, 0), machine->second,
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

}  // namespace

Result<Answer> units_answer(Store& store, const Selected& selected) {
  Digests digests;
  add_machines(selected.machines, digests);
  if (Status status = store.ask(Question::kUnits, selected.selection,
                                [&](const Row& row) { return add_unit(row, digests); });
      !status)
    return status.error();
  Answer answer;
  answer.snapshots = digests.units.snapshots();
  answer.tables.push_back(digest_table(digests.units));
  if (digests.ram.snapshots() == 0) return answer;
  if (Status status = store.ask(Question::kRam, selected.selection,
                                [&](const Row& row) { return add_ram(row, digests); });
      !status)
    return status.error();
  answer.tables.push_back(fleet_classes_table(digests.ram));
  answer.tables.push_back(fleet_owners_table(digests.ram));
  return answer;
}

}  // namespace physmem::fleet
