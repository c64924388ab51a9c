// SPDX-License-Identifier: MIT
#include "fleet/store/sqlite_text_sweep.h"

#include <utility>

#include "fleet/model/tables.h"
#include "fleet/sql/sql_section.h"
#include "program/signals.h"

namespace physmem::fleet {

Result<std::uint64_t> SqliteTextSweep::number(SqliteDatabase& database) {
  const auto number = database.number(database.named("sweep"));
  if (!number) return number.error();
  return number->value_or(0);
}

Status SqliteTextSweep::run() {
  if (Status status = begin(); !status) return status;
  if (Status status = find_used(); !status) return status;
  if (Status status = remove_unused(); !status) return status;
  return interrupted() ? Status() : end();
}

/// From now on, other programs note the texts that they use.
Status SqliteTextSweep::begin() {
  return in_transaction_([this]() -> Status {
    for (const char* const name : {"forget_uses", "begin_sweep"})
      if (Status status = database_.run(database_.named(name)); !status) return status;
    const auto number = SqliteTextSweep::number(database_);
    if (!number) return number.error();
    number_ = *number;
    const auto last = database_.number(database_.named("last_text"));
    if (!last) return last.error();
    is_used_.assign(last->value_or(0) + 1, false);
    return {};
  });
}

/// Facts before sums: a text that only sums have in the end is found in one of them.
Status SqliteTextSweep::find_used() {
  for (const FactColumns& table : fact_tables()) {
    std::string texts;
    for (const std::string_view text : table.texts) texts += ", " + std::string(text);
    const std::string sql = replaced(sql_statement("sqlite", "texts_of_facts"), "{texts}", texts);
    if (Status status = find_used(replaced(sql, "{table}", table.name)); !status) return status;
  }
  for (const char* const name : {"texts_of_snapshots", "texts_of_machine_days",
                                 "texts_of_unit_days", "texts_of_ram_days", "texts_of_trend_days"})
    if (Status status = find_used(std::string(sql_statement("sqlite", name))); !status)
      return status;
  return {};
}

/// In pieces, each of which begins after the last key of the one before.
Status SqliteTextSweep::find_used(const std::string& sql) {
  std::uint64_t first = 0;
  for (bool has_more = true; has_more && !interrupted();) {
    has_more = false;
    SqliteStatement* const rows = database_.statement(sql);
    if (rows != nullptr) rows->bind(1, first);
    Status status = database_.take_each(rows, [&](const SqliteArguments& row) {
      first = row.number(0) + 1;
      has_more = true;
      for (int i = 1; i < row.count(); ++i)
        if (row.number(i) < is_used_.size()) is_used_[row.number(i)] = true;
    });
    if (!status) return status;
  }
  return {};
}

Status SqliteTextSweep::remove_unused() {
  std::uint64_t first = 0;
  for (bool has_more = true; has_more && !interrupted() && !is_over_;) {
    has_more = false;
    std::vector<std::uint64_t> unused;
    SqliteStatement* const texts = database_.named("some_texts");
    if (texts != nullptr) texts->bind(1, first).bind(2, std::uint64_t{is_used_.size()});
    Status status = database_.take_each(texts, [&](const SqliteArguments& row) {
      const std::uint64_t id = row.number(0);
      first = id + 1;
      has_more = true;
      if (!is_used_[id]) unused.push_back(id);
    });
    if (status && !unused.empty()) status = if_last([&] { return remove(unused); });
    if (!status) return status;
  }
  return {};
}

Status SqliteTextSweep::remove(const std::vector<std::uint64_t>& ids) {
  for (const std::uint64_t id : ids) {
    SqliteStatement* const remove = database_.named("remove_text");
    if (remove != nullptr) remove->bind(1, id);
    if (Status status = database_.run(remove); !status) return status;
  }
  return {};
}

Status SqliteTextSweep::end() {
  return if_last([this]() -> Status {
    for (const char* const name : {"forget_uses", "end_sweep"})
      if (Status status = database_.run(database_.named(name)); !status) return status;
    return {};
  });
}

Status SqliteTextSweep::if_last(const std::function<Status()>& work) {
  return in_transaction_([&]() -> Status {
    const auto number = SqliteTextSweep::number(database_);
    if (!number) return number.error();
    is_over_ = *number != number_;
    return is_over_ ? Status() : work();
  });
}

}  // namespace physmem::fleet
