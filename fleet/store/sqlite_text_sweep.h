// SPDX-License-Identifier: MIT
// Removes the texts that nothing in a store of SQLite refers to.
//
// Other programs read and write in the meantime: all of the store is read, in pieces that take well
// below a second. They cannot add a row that refers to a removed text: since the start of the
// sweep, each SqliteDictionary looks up its texts again and notes those that it uses.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fleet/store/sqlite_database.h"
#include "program/result.h"

namespace physmem::fleet {

class SqliteTextSweep {
 public:
  using InTransaction = std::function<Status(const std::function<Status()>&)>;

  SqliteTextSweep(SqliteDatabase& database, InTransaction in_transaction)
      : database_(database), in_transaction_(std::move(in_transaction)) {}

  /// Ends early after a signal, or if another program begins a sweep. The next one is complete.
  /// After a signal, is_running() stays true, as after a kill.
  Status run();

  /// It grows at the start and at the end of each sweep of the store.
  static Result<std::uint64_t> number(SqliteDatabase& database);
  /// Whether one runs at this number, or was killed or interrupted.
  static bool is_running(std::uint64_t number) { return number % 2 == 1; }

 private:
  Status begin();
  Status find_used();
  Status find_used(const std::string& sql);
  Status remove_unused();
  Status remove(const std::vector<std::uint64_t>& ids);
  Status end();
  /// Does `work` in a transaction if this sweep is still the last one.
  Status if_last(const std::function<Status()>& work);

  SqliteDatabase& database_;
  InTransaction in_transaction_;
  std::uint64_t number_ = 0;
  bool is_over_ = false;
  std::vector<bool> is_used_;  ///< by number, of the texts that there were at the start
};

}  // namespace physmem::fleet
