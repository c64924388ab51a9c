// SPDX-License-Identifier: MIT
// Removes snapshots of some machines from a store in SQLite.
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "fleet/store/sqlite_store.h"
#include "program/signals.h"

namespace physmem::fleet {
namespace {

/// Binds the three parameters of a statement.
SqliteStatement* bound(SqliteStatement* statement, std::uint64_t machine,
                       const Selection& selection) {
  if (statement == nullptr) return nullptr;
  return &statement->bind(1, machine).bind(2, selection.since).bind(3, selection.before);
}

}  // namespace

/// Each transaction removes whole snapshots, or the sums of a day. Sums go first: without them the
/// facts of the day count, as far as they are left, and the next removal finds these.
Result<bool> SqliteStore::remove(const Selection& selection) {
  const std::vector<std::string>& machines = selection.machines.value();
  std::size_t done = 0;
  for (const std::string& machine : machines) {
    report_progress(done++, machines.size());
    SqliteStatement* const find = database_->named("find_machine");
    if (find != nullptr) find->bind(1, std::string_view(machine));
    const auto id = database_->number(find);
    if (!id) return id.error();
    if (!*id) continue;
    if (Status status = remove_sums(**id, selection); !status) return status.error();
    for (bool has_more = true; has_more;) {
      if (interrupted()) return false;
      const auto removed = remove_some(**id, selection);
      if (!removed) return removed.error();
      has_more = *removed != 0;
    }
  }
  return true;
}

/// As many as one transaction removes. The number of snapshots.
Result<std::uint64_t> SqliteStore::remove_some(std::uint64_t machine, const Selection& selection) {
  std::vector<std::uint64_t> ids;
  std::set<std::uint64_t> days;
  Status status = in_transaction([&]() -> Status {
    Status found =
        database_->take_each(bound(database_->named("some_of_machine"), machine, selection),
                             [&](const SqliteArguments& snapshot) {
                               ids.push_back(snapshot.number(0));
                               days.insert(snapshot.number(1));
                             });
    if (!found) return found;
    for (const std::uint64_t id : ids)
      if (Status one = remove(id); !one) return one;
    return forget_unless_expired(days);
  });
  if (!status) return status.error();
  return ids.size();
}

/// Removes the sums of whole days. Where there are facts, these count from then on.
Status SqliteStore::remove_sums(std::uint64_t machine, const Selection& selection) {
  std::vector<std::uint64_t> days;
  Status status =
      database_->take_each(bound(database_->named("days_of_machine"), machine, selection),
                           [&](const SqliteArguments& day) { days.push_back(day.number(0)); });
  for (const std::uint64_t day : days) {
    if (!status || interrupted()) return status;
    status = in_transaction([&]() -> Status {
      for (const char* const name : {"remove_machine_day", "remove_unit_days", "remove_ram_days"}) {
        SqliteStatement* const remove = database_->named(name);
        if (remove != nullptr) remove->bind(1, machine).bind(2, day);
        if (Status done = database_->run(remove); !done) return done;
      }
      return forget_unless_expired({day});
    });
  }
  return status;
}

/// The sums of a day without facts cannot be made again.
Status SqliteStore::forget_unless_expired(std::set<std::uint64_t> days) {
  const auto expired = expired_before();
  if (!expired) return expired.error();
  days.erase(days.begin(), days.lower_bound(*expired));
  return forget(days);
}

}  // namespace physmem::fleet
