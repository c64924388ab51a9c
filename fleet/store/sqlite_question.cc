// SPDX-License-Identifier: MIT
#include "fleet/store/sqlite_question.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "fleet/model/report.h"
#include "fleet/sql/sql_section.h"
#include "fleet/sql/sql_text.h"

namespace physmem::fleet {
namespace {

/// Texts in memory; a text has up to 16 KiB, but most have below 100 bytes.
constexpr std::size_t kMaxTexts = 10'000;

std::optional<std::string> list(const std::optional<std::vector<std::string>>& texts) {
  if (!texts) return std::nullopt;
  return nlohmann::json(*texts).dump();
}

Row row_of(const SqliteStatement& statement) {
  Row row(static_cast<std::size_t>(statement.columns()));
  for (int i = 0; i < statement.columns(); ++i) {
    Value& value = row[static_cast<std::size_t>(i)];
    if (statement.is_text(i))
      value = statement.text(i);
    else if (!statement.is_null(i))
      value = statement.number(i);
  }
  return row;
}

}  // namespace

SqliteQuestion::SqliteQuestion(SqliteDatabase& database, Question question,
                               const Selection& selection)
    : database_(database),
      question_(question),
      selection_(selection),
      machine_list_(list(selection.machines)),
      unit_list_(list(selection.units)) {
  if (question == Question::kChanges) times_.push_back({{0, selection.earlier_before}});
  times_.push_back({{selection.since, selection.before}});
}

Status SqliteQuestion::ask(const Store::TakeRow& take) {
  const auto groups = FactGroups::of(question_);
  if (!groups) return ask_rows(take);
  for (Time& time : times_)
    if (Status status = find_ranges(time); !status) return status;
  const auto machines = this->machines();
  if (!machines) return machines.error();
  for (const Machine& machine : *machines)
    if (Status status = ask_of(machine, *groups, take); !status) return status;
  return groups->take_last_rows([&](std::uint64_t id) { return text_of(id); }, take);
}

/// Asks once, or for each machine if the SQL has the parameter :machine.
Status SqliteQuestion::ask_rows(const Store::TakeRow& take) {
  const std::string_view sql = sql_text("sqlite", name(question_));
  SqliteStatement* const rows = statement(sql);
  if (rows == nullptr || !rows->has(":machine")) return take_rows(rows, take);
  const auto machines = this->machines();
  if (!machines) return machines.error();
  for (const Machine& machine : *machines) {
    statement(sql)->bind(":machine", machine.id);
    if (Status status = take_rows(rows, take); !status) return status;
  }
  return {};
}

std::string_view SqliteQuestion::part(std::string_view name) const {
  return sql_section(sql_text("sqlite", fleet::name(question_)), name);
}

/// If the question has sums, all but the days that are summed up.
Status SqliteQuestion::find_ranges(Time& time) {
  std::uint64_t since = time.whole.first;
  const std::uint64_t before = time.whole.second;
  if (!part("sums").empty()) {
    SqliteStatement* const days = statement(sqlite_section("summed_days"), time.whole);
    Status status = read(days, [&] {
      const std::uint64_t day = days->number(0);
      if (day > since) time.facts.emplace_back(since, day);
      since = day + kDay;
      return Status();
    });
    if (!status) return status;
  }
  if (since < before) time.facts.emplace_back(since, before);
  return {};
}

/// The facts of one machine are near to each other in the file.
Status SqliteQuestion::ask_of(const Machine& machine, FactGroups& groups,
                              const Store::TakeRow& take) {
  for (std::size_t i = 0; i < times_.size(); ++i) {
    groups.begin_time(i);
    if (Status status = read_facts(machine, times_[i], groups); !status) return status;
    if (Status status = read_sums(machine, times_[i], groups); !status) return status;
  }
  return groups.take_rows(
      machine.name, [&](std::uint64_t id) { return text_of(id); }, take);
}

Status SqliteQuestion::read_facts(const Machine& machine, const Time& time, FactGroups& groups) {
  for (const TimeRange& range : time.facts) {
    SqliteStatement* const facts = statement(part("facts"), range);
    if (facts != nullptr) facts->bind(":machine", machine.id);
    Status status =
        database_.take_each(facts, [&](const SqliteArguments& fact) { groups.add(fact); });
    if (!status) return status;
  }
  return {};
}

Status SqliteQuestion::read_sums(const Machine& machine, const Time& time, FactGroups& groups) {
  if (part("sums").empty()) return {};
  SqliteStatement* const sums = statement(part("sums"), time.whole);
  if (sums != nullptr) sums->bind(":machine", machine.id);
  return database_.take_each(sums, [&](const SqliteArguments& sum) { groups.add_sum(sum); });
}

Status SqliteQuestion::read(SqliteStatement* statement, const std::function<Status()>& take) {
  if (statement == nullptr) return database_.error();
  Status status;
  int step = 0;
  while (status && (step = statement->step()) == 1) status = take();
  if (step < 0) status = database_.error();
  statement->reset();
  return status;
}

Status SqliteQuestion::take_rows(SqliteStatement* statement, const Store::TakeRow& take) {
  return read(statement, [&] { return take(row_of(*statement)); });
}

SqliteStatement* SqliteQuestion::statement(std::string_view sql) {
  return statement(sql, {selection_.since, selection_.before});
}

SqliteStatement* SqliteQuestion::statement(std::string_view sql, const TimeRange& time) {
  SqliteStatement* const statement = database_.statement(std::string(sql));
  if (statement == nullptr) return nullptr;
  statement->bind(":since", time.first)
      .bind(":before", time.second)
      .bind(":base", selection_.base)
      .bind(":machines", machine_list_)
      .bind(":units", unit_list_);
  return statement;
}

Result<std::vector<SqliteQuestion::Machine>> SqliteQuestion::machines() {
  std::vector<Machine> machines;
  SqliteStatement* const statement = this->statement(sqlite_section("machines"));
  const Status status = read(statement, [&] {
    machines.push_back({statement->number(0), statement->text(1)});
    return Status();
  });
  if (!status) return status.error();
  return machines;
}

Result<const std::string*> SqliteQuestion::text_of(std::uint64_t id) {
  if (const auto known = texts_.find(id); known != texts_.end()) return &known->second;
  SqliteStatement* const statement = this->statement(sqlite_section("text_of"));
  if (statement != nullptr) statement->bind(1, id);
  std::string text;
  const Status status = read(statement, [&] {
    text = statement->text(0);
    return Status();
  });
  if (!status) return status.error();
  if (texts_.size() == kMaxTexts) texts_.clear();
  return &texts_.emplace(id, std::move(text)).first->second;
}

}  // namespace physmem::fleet
