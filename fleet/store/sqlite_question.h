// SPDX-License-Identifier: MIT
// The questions of a store in SQLite: fleet/sql/sqlite/QUESTION.sql.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fleet/store/sqlite_database.h"
#include "fleet/store/sqlite_groups.h"
#include "fleet/store/store.h"

namespace physmem::fleet {

class SqliteQuestion {
 public:
  SqliteQuestion(SqliteDatabase& database, Question question, const Selection& selection);

  Status ask(const Store::TakeRow& take);

 private:
  struct Machine {
    std::uint64_t id;
    std::string name;
  };

  /// Seconds, the second one exclusive.
  using TimeRange = std::pair<std::uint64_t, std::uint64_t>;
  struct Time {
    TimeRange whole;
    std::vector<TimeRange> facts = {};  ///< whose facts are to be read
  };

  Status ask_rows(const Store::TakeRow& take);
  Status ask_of(const Machine& machine, FactGroups& groups, const Store::TakeRow& take);
  Status read_facts(const Machine& machine, const Time& time, FactGroups& groups);
  Status read_sums(const Machine& machine, const Time& time, FactGroups& groups);
  std::string_view part(std::string_view name) const;
  Status find_ranges(Time& time);
  Result<std::vector<Machine>> machines();
  Result<const std::string*> text_of(std::uint64_t id);
  /// With the parameters of the selection. nullptr after an error.
  SqliteStatement* statement(std::string_view sql);
  SqliteStatement* statement(std::string_view sql, const TimeRange& time);
  Status read(SqliteStatement* statement, const std::function<Status()>& take);
  Status take_rows(SqliteStatement* statement, const Store::TakeRow& take);

  SqliteDatabase& database_;
  Question question_;
  const Selection& selection_;
  std::optional<std::string> machine_list_, unit_list_;   ///< JSON
  std::vector<Time> times_;                               ///< one, of kChanges two
  std::unordered_map<std::uint64_t, std::string> texts_;  ///< some of the store's
};

}  // namespace physmem::fleet
