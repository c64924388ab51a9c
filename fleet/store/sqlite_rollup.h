// SPDX-License-Identifier: MIT
// Sums up a day in a store of SQLite.
//
// Other programs read and write in the meantime: the facts are read without a transaction, one
// machine at a time, and the sums are written in pieces that take well below a second. A snapshot
// of the day that is added or removed ends it: the day is then not marked as summed up, so that its
// sums do not count, and they are replaced the next time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "fleet/store/sqlite_database.h"
#include "fleet/store/unit_sizes.h"
#include "fleet/store/unit_sums.h"
#include "program/result.h"

namespace physmem::fleet {

class SqliteRollup {
 public:
  using InTransaction = std::function<Status(const std::function<Status()>&)>;
  /// 16 MiB, and as much again while vectors grow. More sizes take more passes.
  static constexpr std::size_t kMaxSizes = std::size_t{1} << 20;

  SqliteRollup(SqliteDatabase& database, InTransaction in_transaction, std::uint64_t day,
               std::size_t max_sizes = kMaxSizes)
      : database_(database),
        in_transaction_(std::move(in_transaction)),
        day_(day),
        sizes_(max_sizes) {}

  /// Whether the day is summed up. Not if it has changed in the meantime, or after a signal.
  Result<bool> run();

 private:
  struct RamSum {
    std::uint64_t snapshots = 0, sized = 0, bytes = 0;
    Range sizes = {};
  };
  using RamKey = std::pair<std::uint64_t, std::uint64_t>;  ///< kind and name
  struct MachineDay {
    std::uint64_t id = 0;
    std::uint64_t host = 0;  ///< the latest name
    std::uint64_t snapshots = 0, ledgers = 0;
    Range times = {};
    std::vector<UnitSums::Sums> units = {};
    std::map<RamKey, RamSum> ram = {};
  };

  SqliteStatement* part(std::string_view name);
  /// The statement reads the facts of one machine.
  SqliteStatement* of_machine(SqliteStatement* statement, std::uint64_t machine);
  Status begin();
  Status read_machines(bool is_first_pass);
  Status read_units(std::uint64_t machine);
  Result<MachineDay> read_machine(std::uint64_t machine);
  Status read_ram(MachineDay& machine);
  Status add_to_piece(MachineDay machine);
  Status write_piece();
  Status write(const MachineDay& machine);
  Status write_units(const MachineDay& machine);
  Status write_ram(const MachineDay& machine);
  Status write_trends();
  Status write(std::span<const UnitSizes::Totals> units);
  /// Does `work` in a transaction if the day is unchanged.
  Status if_unchanged(const std::function<Status()>& work);
  Result<std::uint64_t> number();
  bool is_over() const;

  SqliteDatabase& database_;
  InTransaction in_transaction_;
  std::uint64_t day_;
  std::uint64_t number_ = 0;  ///< of the day, since begin()
  bool has_changed_ = false;
  std::vector<std::uint64_t> machines_ = {};
  UnitSums units_ = {};
  CheckedSums ram_sums_ = {};
  UnitSizes sizes_;
  std::vector<MachineDay> piece_ = {};  ///< to be written
  std::size_t rows_ = 0;                ///< of piece_
};

}  // namespace physmem::fleet
