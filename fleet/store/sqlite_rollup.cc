// SPDX-License-Identifier: MIT
#include "fleet/store/sqlite_rollup.h"

#include <algorithm>
#include <optional>

#include "fleet/model/report.h"
#include "fleet/sql/sql_section.h"
#include "fleet/sql/sql_text.h"
#include "program/signals.h"

namespace physmem::fleet {
namespace {

/// Rows and machines per transaction. The sums of a machine are on pages of their own.
constexpr std::size_t kPieceRows = 20'000;
constexpr std::size_t kPieceMachines = 128;

std::optional<std::uint64_t> if_sized(std::uint64_t size, std::uint64_t sized) {
  return sized == 0 ? std::nullopt : std::optional(size);
}

}  // namespace

Result<bool> SqliteRollup::run() {
  if (Status status = begin(); !status) return status.error();
  for (std::optional<std::uint64_t> first = 0; first && !is_over(); first = sizes_.next()) {
    sizes_.begin(*first);
    if (Status status = read_machines(*first == 0); !status) return status.error();
    if (Status status = write_trends(); !status) return status.error();
  }
  if (!is_over())
    if (Status status = if_unchanged([this] { return database_.run(part("mark")); }); !status)
      return status.error();
  return !is_over();
}

bool SqliteRollup::is_over() const {
  return has_changed_ || interrupted();
}

SqliteStatement* SqliteRollup::part(std::string_view name) {
  SqliteStatement* const statement =
      database_.statement(std::string(sql_section(sql_text("sqlite", "rollup"), name)));
  if (statement != nullptr) statement->bind(":day", day_);
  return statement;
}

SqliteStatement* SqliteRollup::of_machine(SqliteStatement* statement, std::uint64_t machine) {
  if (statement == nullptr) return nullptr;
  return &statement->bind(":machine", machine).bind(":since", day_).bind(":before", day_ + kDay);
}

Result<std::uint64_t> SqliteRollup::number() {
  const auto number = database_.number(part("number"));
  if (!number) return number.error();
  return number->value_or(0);
}

Status SqliteRollup::if_unchanged(const std::function<Status()>& work) {
  return in_transaction_([&]() -> Status {
    const auto number = this->number();
    if (!number) return number.error();
    has_changed_ = *number != number_;
    return has_changed_ ? Status() : work();
  });
}

/// Also ends another one that sums up the same day. Sums that count must stay: their facts may have
/// been removed.
Status SqliteRollup::begin() {
  Status status = in_transaction_([this]() -> Status {
    const auto is_summed_up = database_.number(part("is_summed_up"));
    if (!is_summed_up) return is_summed_up.error();
    has_changed_ = is_summed_up->has_value();
    if (has_changed_) return {};
    SqliteStatement* const change = database_.named("change_day");
    if (change != nullptr) change->bind(1, day_);
    if (Status done = database_.run(change); !done) return done;
    for (const char* const name : {"remove_machine_days", "remove_ram_days", "remove_trend_days"})
      if (Status done = database_.run(part(name)); !done) return done;
    const auto number = this->number();
    if (!number) return number.error();
    number_ = *number;
    return {};
  });
  if (!status) return status;
  return database_.take_each(part("machines"), [this](const SqliteArguments& machine) {
    machines_.push_back(machine.number(0));
  });
}

/// Only the first pass writes sums of machines.
Status SqliteRollup::read_machines(bool is_first_pass) {
  for (const std::uint64_t id : machines_) {
    if (is_over()) return {};
    if (!is_first_pass) {
      if (Status status = read_units(id); !status) return status;
      units_.end_machine();
      continue;
    }
    auto machine = read_machine(id);
    if (!machine) return machine.error();
    if (Status status = add_to_piece(std::move(*machine)); !status) return status;
  }
  return write_piece();
}

Result<SqliteRollup::MachineDay> SqliteRollup::read_machine(std::uint64_t id) {
  MachineDay machine{.id = id};
  Status status =
      database_.take_each(of_machine(part("snapshots"), id), [&](const SqliteArguments& snapshot) {
        ++machine.snapshots;
        machine.host = snapshot.number(0);
        machine.times.add(snapshot.number(1));
        machine.ledgers += snapshot.number(2);
      });
  if (status && machine.snapshots != 0) status = read_units(id);
  if (!status) return status.error();
  machine.units = units_.of_machine();
  units_.end_machine();
  std::sort(machine.units.begin(), machine.units.end(),
            [](const UnitSums::Sums& a, const UnitSums::Sums& b) { return a.id < b.id; });
  if (machine.snapshots != 0) status = read_ram(machine);
  if (status) status = units_.status();
  if (status) status = ram_sums_.status();
  if (!status) return status.error();
  return machine;
}

Status SqliteRollup::read_units(std::uint64_t id) {
  SqliteStatement* const facts =
      database_.statement(std::string(sql_section(sql_text("sqlite", "units"), "facts")));
  if (facts != nullptr) facts->bind(":units", std::nullopt);  // a question may have set it
  return database_.take_each(of_machine(facts, id), [&](const SqliteArguments& fact) {
    const UnitSums::Sums& sums = units_.add(fact);
    if (!fact.is_null(1)) sizes_.add(sums.id, sums.unit, id, fact.number(1));
  });
}

Status SqliteRollup::read_ram(MachineDay& machine) {
  return database_.take_each(of_machine(part("ram"), machine.id), [&](const SqliteArguments& fact) {
    RamSum& sum = machine.ram[{fact.number(0), fact.number(1)}];
    ++sum.snapshots;
    if (fact.is_null(2)) return;
    ++sum.sized;
    ram_sums_.add(sum.bytes, fact.number(2));
    sum.sizes.add(fact.number(2));
  });
}

Status SqliteRollup::add_to_piece(MachineDay machine) {
  rows_ += machine.units.size() + machine.ram.size();
  piece_.push_back(std::move(machine));
  return rows_ < kPieceRows && piece_.size() < kPieceMachines ? Status() : write_piece();
}

Status SqliteRollup::write_piece() {
  if (piece_.empty()) return {};
  Status status = if_unchanged([this]() -> Status {
    for (const MachineDay& machine : piece_)
      if (Status done = write(machine); !done) return done;
    return {};
  });
  piece_.clear();
  rows_ = 0;
  return status;
}

/// Also of a machine without snapshots: it may have had some when the day was last summed up.
Status SqliteRollup::write(const MachineDay& machine) {
  SqliteStatement* const remove = of_machine(part("remove_unit_days"), machine.id);
  if (Status status = database_.run(remove); !status || machine.snapshots == 0) return status;
  SqliteStatement* const add = part("add_machine_day");
  if (add != nullptr)
    add->bind(1, day_)
        .bind(2, machine.id)
        .bind(3, machine.host)
        .bind(4, machine.snapshots)
        .bind(5, machine.times.min)
        .bind(6, machine.times.max)
        .bind(7, machine.ledgers);
  if (Status status = database_.run(add); !status) return status;
  if (Status status = write_units(machine); !status) return status;
  return write_ram(machine);
}

/// In the order of the key, so that rows are appended.
Status SqliteRollup::write_units(const MachineDay& machine) {
  SqliteStatement* const add = part("add_unit_day");
  if (add == nullptr) return database_.error();
  add->bind(1, day_).bind(3, machine.id);
  for (const UnitSums::Sums& unit : machine.units) {
    add->bind(2, unit.id)
        .bind(4, unit.snapshots)
        .bind(5, unit.sized)
        .bind(6, unit.bytes)
        .bind(7, if_sized(unit.sizes.min, unit.sized))
        .bind(8, if_sized(unit.sizes.max, unit.sized))
        .bind(9, unit.times.min)
        .bind(10, unit.times.max)
        .bind(11, unit.alerts);
    if (Status status = database_.run(add); !status) return status;
  }
  return {};
}

Status SqliteRollup::write_ram(const MachineDay& machine) {
  SqliteStatement* const add = part("add_ram_day");
  if (add == nullptr) return database_.error();
  for (const auto& [key, sum] : machine.ram) {
    add->bind(1, day_)
        .bind(2, key.first)
        .bind(3, key.second)
        .bind(4, machine.id)
        .bind(5, sum.snapshots)
        .bind(6, sum.bytes)
        .bind(7, if_sized(sum.sizes.min, sum.sized))
        .bind(8, if_sized(sum.sizes.max, sum.sized));
    if (Status status = database_.run(add); !status) return status;
  }
  return {};
}

Status SqliteRollup::write_trends() {
  const auto units = sizes_.totals();
  if (!units) return units.error();
  for (std::size_t first = 0; first < units->size() && !is_over(); first += kPieceRows) {
    const std::span piece =
        std::span(*units).subspan(first, std::min(kPieceRows, units->size() - first));
    if (Status status = if_unchanged([&] { return write(piece); }); !status) return status;
  }
  return {};
}

Status SqliteRollup::write(std::span<const UnitSizes::Totals> units) {
  SqliteStatement* const add = part("add_trend_day");
  if (add == nullptr) return database_.error();
  for (const UnitSizes::Totals& unit : units) {
    add->bind(1, day_)
        .bind(2, unit.id)
        .bind(3, unit.machines)
        .bind(4, unit.snapshots)
        .bind(5, unit.bytes)
        .bind(6, unit.min)
        .bind(7, unit.p50)
        .bind(8, unit.p99)
        .bind(9, unit.max);
    if (Status status = database_.run(add); !status) return status;
  }
  return {};
}

}  // namespace physmem::fleet
