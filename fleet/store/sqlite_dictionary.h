// SPDX-License-Identifier: MIT
// The numbers of texts in a store of SQLite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "fleet/store/sqlite_database.h"
#include "program/result.h"

namespace physmem::fleet {

/// The table `texts` or `machines`, with the numbers in memory that were used last.
class SqliteDictionary {
 public:
  /// Names of statements that find, and add, a text. `use`: notes a number for a SqliteTextSweep;
  /// nullptr: nothing removes texts of the table.
  SqliteDictionary(SqliteDatabase& database, const char* find, const char* add,
                   const char* use = nullptr)
      : database_(database), find_(find), add_(add), use_(use) {}

  /// To be called first in a transaction: numbers that may have been removed are looked up again.
  Status begin();
  /// The number of a text, which is added if the table does not have it.
  Result<std::uint64_t> id_of(const std::string& text);
  /// After a rollback: what was added is gone.
  void forget();

 private:
  Status note(std::uint64_t id);

  SqliteDatabase& database_;
  const char* find_;
  const char* add_;
  const char* use_;
  std::optional<std::uint64_t> sweep_ = {};  ///< that of the numbers in memory
  std::unordered_map<std::string, std::uint64_t> known_ = {};
  std::size_t bytes_ = 0;  ///< of known_
};

}  // namespace physmem::fleet
