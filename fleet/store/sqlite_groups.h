// SPDX-License-Identifier: MIT
// Questions that group many facts. SQLite would sort the facts, which takes three times as long as
// grouping them here.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "fleet/store/sqlite_database.h"
#include "fleet/store/store.h"

namespace physmem::fleet {

/// The groups of one machine at a time. Memory: units of all machines, or its commands.
class FactGroups {
 public:
  /// The text with this number; it is valid until the next call.
  using TextOf = std::function<Result<const std::string*>(std::uint64_t)>;

  /// nullptr: SQLite groups what the question asks for.
  static std::unique_ptr<FactGroups> of(Question question);

  virtual ~FactGroups() = default;
  /// What follows is of the earlier (0) or the later time (1) of the question. Others have only 0.
  virtual void begin_time(std::size_t) {}
  /// A row of the part `facts` of fleet/sql/sqlite/QUESTION.sql.
  virtual void add(const SqliteArguments& fact) = 0;
  /// A row of the part `sums`, if the question has one.
  virtual void add_sum(const SqliteArguments&) {}
  /// The machine ends: gives its rows, and forgets its groups.
  virtual Status take_rows(const std::string& machine, const TextOf& text_of,
                           const Store::TakeRow& take) = 0;
  /// Gives the rows that are of all machines.
  virtual Status take_last_rows(const TextOf&, const Store::TakeRow&) { return {}; }
};

}  // namespace physmem::fleet
