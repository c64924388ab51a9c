// SPDX-License-Identifier: MIT
// The numbers of texts in a store of SQLite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "fleet/store/sqlite_database.h"
#include "program/result.h"

namespace physmem::fleet {

/// The table `texts` or `machines`, with the numbers in memory that were used last.
class SqliteDictionary {
 public:
  /// Names of statements that find, and add, a text. Nothing removes texts of the table.
  SqliteDictionary(SqliteDatabase& database, const char* find, const char* add)
      : database_(database), find_(find), add_(add) {}

  /// The number of a text, which is added if the table does not have it.
  Result<std::uint64_t> id_of(const std::string& text);
  /// After a rollback: what was added is gone.
  void forget();

 private:
  SqliteDatabase& database_;
  const char* find_;
  const char* add_;
  std::unordered_map<std::string, std::uint64_t> known_ = {};
  std::size_t bytes_ = 0;  ///< of known_
};

}  // namespace physmem::fleet
