// SPDX-License-Identifier: MIT
// A store in one file of SQLite.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "fleet/store/sqlite_database.h"
#include "fleet/store/sqlite_dictionary.h"
#include "fleet/store/store.h"

namespace physmem::fleet {

class SqliteStore : public Store {
 public:
  /// Rejects a database of another program, and one of a newer version.
  static Result<std::unique_ptr<Store>> open(const std::string& path, StoreAccess access);

  Status create() override;
  Result<std::set<std::string>> known(const std::vector<std::string>& keys) override;
  /// Leaves out reports before expired_before(): its loader asks earlier.
  Status add(std::span<const Report> batch) override;
  Status set_kept(std::span<const KeptSnapshot> kept) override;
  Status forget_kept(std::uint64_t before) override;
  Status ask(Question question, const Selection& selection, const TakeRow& take) override;
  Result<std::uint64_t> rollup(std::uint64_t before) override;
  Result<std::uint64_t> expire(std::uint64_t before) override;
  Result<bool> remove(const Selection& selection) override;
  Result<std::uint64_t> expired_before() override;

 private:
  explicit SqliteStore(std::unique_ptr<SqliteDatabase> database) : database_(std::move(database)) {}

  Status check_version(const std::string& path);
  Status in_transaction(const std::function<Status()>& work);
  Status add(const Report& report, std::set<std::uint64_t>& days);
  Status forget(const std::set<std::uint64_t>& days);
  Status remove(std::uint64_t snapshot);
  Result<bool> sum_up_days(std::uint64_t before, std::uint64_t& days);
  Result<std::optional<std::uint64_t>> day_to_sum_up(std::uint64_t before, std::uint64_t first);
  Status mark_expired(std::uint64_t midnight);
  Result<std::uint64_t> remove_some(std::uint64_t before);
  Result<std::uint64_t> remove_some(std::uint64_t machine, const Selection& selection);
  Status remove_sums(std::uint64_t machine, const Selection& selection);
  Status forget_unless_expired(std::set<std::uint64_t> days);
  Status remove_replaced(const SnapshotLine& line, std::uint64_t machine,
                         std::set<std::uint64_t>& days);
  Status add_line(const SnapshotLine& line, std::uint64_t id, std::uint64_t machine);
  Status add_facts(FactTable table, const std::vector<Fact>& facts, std::uint64_t snapshot);
  SqliteStatement* statement(const char* name, FactTable table, std::size_t rows = 1);
  /// Of `rows` rows: kManyRows, kSomeRows, or 1.
  SqliteStatement* insertion(FactTable table, std::size_t rows);

  std::unique_ptr<SqliteDatabase> database_;
  bool is_current_ = false;  ///< it has the tables of this version
  SqliteDictionary texts_{*database_, "find_text", "add_text"};
  SqliteDictionary machines_{*database_, "find_machine", "add_machine"};
  std::unordered_map<std::string, SqliteStatement*> statements_;  ///< by name
  /// Each statement has a start and an end, so one for each row takes long.
  static constexpr std::size_t kManyRows = 16, kSomeRows = 4;
  /// By table and number of rows.
  std::array<std::array<SqliteStatement*, kManyRows + 1>, kFactTables> insertions_{};
};

}  // namespace physmem::fleet
