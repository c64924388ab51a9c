// SPDX-License-Identifier: MIT
#include "fleet/store/sqlite_store.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "fleet/model/snapshot_fields.h"
#include "fleet/sql/sql_section.h"
#include "fleet/sql/sql_text.h"
#include "fleet/store/sqlite_question.h"
#include "fleet/store/sqlite_rollup.h"
#include "program/signals.h"

namespace physmem::fleet {
namespace {

constexpr std::uint64_t kApplication = 1886217324;
constexpr std::uint64_t kSqliteVersion = 4;
constexpr std::uint64_t kRowBits = 16;  ///< of the id of a fact, below its snapshot
static_assert(kMaxRows < std::uint64_t{1} << kRowBits);

}  // namespace

Result<std::unique_ptr<Store>> SqliteStore::open(const std::string& path, StoreAccess access) {
  auto database = SqliteDatabase::open(path, access);
  if (!database) return database.error();
  std::unique_ptr<SqliteStore> store(new SqliteStore(std::move(*database)));
  if (Status status = store->database_->execute(sqlite_section("open")); !status)
    return status.error();
  auto objects = store->database_->number(store->database_->named("objects"));
  if (!objects) return objects.error();
  const bool is_new = *objects == 0U;
  if (is_new && access != StoreAccess::kCreate)
    return Error{Error::Kind::kBadInput,
                 path + ": is empty, expected a store (physmem-fleet load makes one)"};
  if (!is_new)
    if (Status status = store->check_version(path); !status) return status.error();
  if (access == StoreAccess::kRead)
    for (const char* name : {"read_only", "begin_read"})
      if (Status status = store->database_->execute(sqlite_section(name)); !status)
        return status.error();
  return std::unique_ptr<Store>(std::move(store));
}

Status SqliteStore::check_version(const std::string& path) {
  const auto application = database_->number(database_->named("application"));
  if (!application) return application.error();
  if (*application != kApplication)
    return Error{Error::Kind::kBadInput,
                 path + ": is a database of another program, expected one of physmem-fleet"};
  const auto version = database_->number(database_->named("version"));
  if (!version) return version.error();
  if (version->value_or(0) > kSqliteVersion)
    return Error{Error::Kind::kBadInput,
                 fmt::format("{}: has version {} of the tables, expected {}: it is of a newer "
                             "physmem-fleet",
                             path, version->value_or(0), kSqliteVersion)};
  is_current_ = *version == kSqliteVersion;
  return {};
}

SqliteStatement* SqliteStore::statement(const char* name, FactTable table, std::size_t rows) {
  const FactColumns& columns = columns_of(table);
  SqliteStatement*& statement = statements_[fmt::format("{} {} {}", name, columns.name, rows)];
  if (statement != nullptr) return statement;
  std::string row = "(?";
  for (std::size_t i = 0; i < columns.texts.size() + columns.numbers.size(); ++i) row += ",?";
  row += ")";
  std::string values = row;
  for (std::size_t i = 1; i < rows; ++i) values += "," + row;
  statement = database_->statement(
      replaced(replaced(sqlite_section(name), "{table}", columns.name), "{values}", values));
  return statement;
}

SqliteStatement* SqliteStore::insertion(FactTable table, std::size_t rows) {
  SqliteStatement*& insertion = insertions_[static_cast<std::size_t>(table)][rows];
  if (insertion == nullptr) insertion = statement("add_fact", table, rows);
  return insertion;
}

Status SqliteStore::in_transaction(const std::function<Status()>& work) {
  if (Status status = database_->execute(sqlite_section("begin")); !status) return status;
  Status status = work();
  if (status) status = database_->execute(sqlite_section("commit"));
  if (status) return status;
  texts_.forget();
  machines_.forget();
  static_cast<void>(database_->execute(sqlite_section("rollback")));
  return status;
}

Status SqliteStore::create() {
  if (is_current_) return {};
  return in_transaction([this]() -> Status {
    if (Status status = database_->execute(sql_text("sqlite", "schema")); !status) return status;
    Status status = database_->execute(sqlite_section("mark"));
    is_current_ = status.operator bool();
    return status;
  });
}

Result<std::set<std::string>> SqliteStore::known(const std::vector<std::string>& keys) {
  std::set<std::string> found;
  for (const std::string& key : keys) {
    SqliteStatement* const statement = database_->named("known");
    if (statement == nullptr) return database_->error();
    const auto number = database_->number(&statement->bind(1, std::string_view(key)));
    if (!number) return number.error();
    if (*number) found.insert(key);
  }
  return found;
}

Status SqliteStore::add(std::span<const Report> batch) {
  return in_transaction([&]() -> Status {
    const auto expired = expired_before();
    if (!expired) return expired.error();
    std::set<std::uint64_t> days;
    for (const Report& report : batch)
      if (report.snapshot.second() >= *expired)
        if (Status status = add(report, days); !status) return status;
    return forget(days);
  });
}

/// `days`: those that change are added.
Status SqliteStore::add(const Report& report, std::set<std::uint64_t>& days) {
  const auto machine = machines_.id_of(report.snapshot.machine);
  if (!machine) return machine.error();
  if (Status status = remove_replaced(report.snapshot, *machine, days); !status) return status;
  const auto id = database_->number(database_->named("next_snapshot"));
  if (!id) return id.error();
  for (std::size_t i = 0; i < kFactTables; ++i)
    if (Status status = add_facts(static_cast<FactTable>(i), report.facts[i], id->value_or(1));
        !status)
      return status;
  const std::uint64_t second = report.snapshot.second();
  days.insert(second - second % kDay);
  return add_line(report.snapshot, id->value_or(1), *machine);
}

/// Their sums do not count any more, and a rollup of them begins again.
Status SqliteStore::forget(const std::set<std::uint64_t>& days) {
  for (const std::uint64_t day : days)
    for (const char* const name : {"forget_day", "forget_trend", "change_day"}) {
      SqliteStatement* const statement = database_->named(name);
      if (statement != nullptr) statement->bind(1, day);
      if (Status status = database_->run(statement); !status) return status;
    }
  return {};
}

Status SqliteStore::remove_replaced(const SnapshotLine& line, std::uint64_t machine,
                                    std::set<std::uint64_t>& days) {
  while (true) {
    SqliteStatement* const find = database_->named("replaced");
    if (find == nullptr) return database_->error();
    find->bind(1, std::string_view(line.key))
        .bind(2, machine)
        .bind(3, line.second())
        .bind(4, line.millisecond());
    const auto id = database_->number(find);
    if (!id) return id.error();
    if (!*id) return {};
    SqliteStatement* const day_of = database_->named("day_of");
    if (day_of != nullptr) day_of->bind(1, **id);
    const auto day = database_->number(day_of);
    if (!day) return day.error();
    days.insert(day->value_or(0));
    if (Status status = remove(**id); !status) return status;
  }
}

Status SqliteStore::remove(std::uint64_t snapshot) {
  for (std::size_t i = 0; i < kFactTables; ++i) {
    SqliteStatement* const facts = statement("remove_facts", static_cast<FactTable>(i));
    if (facts != nullptr) facts->bind(1, snapshot);
    if (Status status = database_->run(facts); !status) return status;
  }
  SqliteStatement* const line = database_->named("remove_snapshot");
  if (line != nullptr) line->bind(1, snapshot);
  return database_->run(line);
}

Status SqliteStore::add_line(const SnapshotLine& line, std::uint64_t id, std::uint64_t machine) {
  constexpr std::size_t kFirst = 2;  // field after key and machine
  std::array<std::uint64_t, std::size(kSnapshotFields)> texts{};
  for (std::size_t i = kFirst; i < std::size(kSnapshotFields); ++i) {
    const auto* const member = std::get_if<std::string SnapshotLine::*>(&kSnapshotFields[i]);
    if (member == nullptr) continue;
    const auto text = texts_.id_of(line.*(*member));
    if (!text) return text.error();
    texts[i] = *text;
  }
  SqliteStatement* const statement = database_->named("add_snapshot");
  if (statement == nullptr) return database_->error();
  statement->bind(1, id).bind(2, std::string_view(line.key)).bind(3, machine);
  statement->bind(4, line.second()).bind(5, line.millisecond());
  int parameter = 5;
  for (std::size_t i = kFirst; i < std::size(kSnapshotFields); ++i) {
    ++parameter;
    std::visit(
        [&](auto member) {
          if constexpr (std::is_same_v<decltype(member), std::string SnapshotLine::*>)
            statement->bind(parameter, texts[i]);
          else
            statement->bind(parameter, line.*member);
        },
        kSnapshotFields[i]);
  }
  return database_->run(statement);
}

Status SqliteStore::add_facts(FactTable table, const std::vector<Fact>& facts,
                              std::uint64_t snapshot) {
  std::vector<std::uint64_t> texts;
  for (std::size_t first = 0; first < facts.size();) {
    const std::size_t left = facts.size() - first;
    const std::size_t rows = left >= kManyRows ? kManyRows : left >= kSomeRows ? kSomeRows : 1;
    SqliteStatement* const statement = insertion(table, rows);
    if (statement == nullptr) return database_->error();
    int parameter = 0;
    for (const std::size_t end = first + rows; first != end; ++first) {
      texts.clear();
      for (const std::string& text : facts[first].texts) {
        const auto id = texts_.id_of(text);
        if (!id) return id.error();
        texts.push_back(*id);
      }
      statement->bind(++parameter, (snapshot << kRowBits) + first);
      for (const std::uint64_t text : texts) statement->bind(++parameter, text);
      for (const auto& number : facts[first].numbers) statement->bind(++parameter, number);
    }
    if (Status status = database_->run(statement); !status) return status;
  }
  return {};
}

Status SqliteStore::set_kept(std::span<const KeptSnapshot> kept) {
  return in_transaction([&]() -> Status {
    for (const KeptSnapshot& snapshot : kept) {
      const auto archive = texts_.id_of(snapshot.archive);
      if (!archive) return archive.error();
      SqliteStatement* const set = database_->named("set_kept");
      if (set != nullptr) set->bind(1, std::string_view(snapshot.key)).bind(2, *archive);
      if (Status status = database_->run(set); !status) return status;
    }
    return {};
  });
}

Status SqliteStore::forget_kept(std::uint64_t before) {
  return in_transaction([&]() -> Status {
    const auto none = texts_.id_of("");
    if (!none) return none.error();
    SqliteStatement* const forget = database_->named("forget_kept");
    if (forget != nullptr) forget->bind(1, before).bind(2, *none);
    return database_->run(forget);
  });
}

Status SqliteStore::ask(Question question, const Selection& selection, const TakeRow& take) {
  return SqliteQuestion(*database_, question, selection).ask(take);
}

/// Days that other programs change in the meantime are summed up in a later turn.
Result<std::uint64_t> SqliteStore::rollup(std::uint64_t before) {
  constexpr int kTurns = 5;
  std::uint64_t days = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    const auto changed = sum_up_days(before, days);
    if (!changed) return changed.error();
    if (!*changed || interrupted()) return days;
  }
  return Error{Error::Kind::kIo,
               fmt::format("{} summed up, but not all: other programs have added snapshots of the "
                           "others in the meantime; start again when they have ended",
                           days == 1 ? "1 day" : fmt::format("{} days", days))};
}

/// Whether a day was changed.
Result<bool> SqliteStore::sum_up_days(std::uint64_t before, std::uint64_t& days) {
  bool has_changed = false;
  std::uint64_t first = 0;
  while (!interrupted()) {
    const auto day = day_to_sum_up(before, first);
    if (!day) return day.error();
    if (!*day) break;
    const auto is_done =
        SqliteRollup(
            *database_, [this](const auto& work) { return in_transaction(work); }, **day)
            .run();
    if (!is_done) return is_done.error();
    if (*is_done) ++days;
    has_changed = has_changed || !*is_done;
    first = **day + kDay;
  }
  return has_changed;
}

Result<std::optional<std::uint64_t>> SqliteStore::day_to_sum_up(std::uint64_t before,
                                                                std::uint64_t first) {
  SqliteStatement* const find = database_->named("day_to_sum_up");
  if (find != nullptr) find->bind(1, before).bind(2, first);
  return database_->number(find);
}

/// Loaders leave out snapshots of these days from then on.
Status SqliteStore::mark_expired(std::uint64_t midnight) {
  for (bool is_marked = false; !is_marked && !interrupted();) {
    if (const auto days = rollup(midnight); !days) return days.error();
    Status status = in_transaction([&]() -> Status {
      const auto day = day_to_sum_up(midnight, 0);
      if (!day) return day.error();
      is_marked = !*day;
      SqliteStatement* const mark = database_->named("set_expired");
      if (mark != nullptr) mark->bind(1, midnight);
      return is_marked ? database_->run(mark) : Status();
    });
    if (!status) return status;
  }
  return {};
}

Result<std::uint64_t> SqliteStore::expire(std::uint64_t before) {
  const std::uint64_t midnight = before - before % kDay;
  if (Status status = mark_expired(midnight); !status) return status.error();
  std::uint64_t removed = 0;
  while (!interrupted()) {
    const auto some = remove_some(midnight);
    if (!some) return some.error();
    if (*some == 0) break;
    removed += *some;
  }
  return removed;
}

/// As many as one transaction removes.
Result<std::uint64_t> SqliteStore::remove_some(std::uint64_t before) {
  std::vector<std::uint64_t> ids;
  Status status = in_transaction([&]() -> Status {
    SqliteStatement* const find = database_->named("oldest");
    if (find == nullptr) return database_->error();
    find->bind(1, before);
    int step = 0;
    while ((step = find->step()) == 1) ids.push_back(find->number(0));
    Status found = step < 0 ? database_->error() : Status();
    find->reset();
    if (!found) return found;
    for (const std::uint64_t id : ids)
      if (Status one = remove(id); !one) return one;
    return {};
  });
  if (!status) return status.error();
  return ids.size();
}

Result<std::uint64_t> SqliteStore::expired_before() {
  const auto before = database_->number(database_->named("expired_before"));
  if (!before) return before.error();
  return before->value_or(0);
}

}  // namespace physmem::fleet
