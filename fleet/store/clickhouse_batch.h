// SPDX-License-Identifier: MIT
// Reports that wait to be sent to one shard. Each insertion makes a part on the disk for each table
// and day, and parts are merged later: servers of 18.16 took 50 s of CPU time for 10 M rows in
// batches of 100,000, and 15 s in batches of 1 M. To hold many rows in little memory, they are
// packed: numbers as varints, and texts as numbers of a dictionary. A row takes 30 bytes, in a
// Report 300.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fleet/model/report.h"
#include "fleet/store/clickhouse_block.h"
#include "fleet/store/clickhouse_http.h"
#include "fleet/store/clickhouse_rows.h"
#include "program/result.h"

namespace physmem::fleet {

/// Rows of one table and day, in pieces of one size, so that they grow without being moved.
struct PackedRows {
  static constexpr std::size_t kPiece = 4096;
  static constexpr std::size_t kMaxRow = 256;  ///< 3 texts and 8 numbers take at most 120

  /// Where a row is appended.
  std::string& next_row();
  std::size_t bytes() const { return pieces.size() * kPiece; }

  std::vector<std::string> pieces;
  std::size_t last_snapshot = 0;  ///< of the last row
};

class ClickhouseBatch {
 public:
  /// Its time must be in the range of ClickHouse.
  void add(const Report& report);
  /// The keys of all reports, in their order.
  std::vector<std::string> keys() const;
  /// Machines and times of all reports, in their order.
  std::vector<SnapshotKey> places() const;
  /// Leaves out reports with these keys, and all but the first with one key. Their number. `known`
  /// gets the keys of the others.
  std::uint64_t leave_out(std::set<std::string>& known);
  /// Leaves out all but the last with one key, and all but the last of one machine and time, and
  /// what other batches send. `sent` gets the keys of those that are sent.
  void leave_out_replaced(std::set<std::string>& sent);
  /// Whether a report of this machine and time is not left out, after leave_out_replaced().
  bool sends(const SnapshotKey& place) const { return sent_places_.contains(place); }
  std::size_t rows() const { return rows_; }
  /// That it takes in memory.
  std::size_t bytes() const { return bytes_; }

  using Send = std::function<Status(const ClickhouseTable&, RowSource&)>;
  /// Calls `send` with the rows of one table and one day at a time. The lines of snapshots follow
  /// all their facts. Stops at an error.
  Status for_each(const Send& send) const;

 private:
  struct Snapshot {
    SnapshotKey place;
    std::string key;
    std::string line;  ///< row of `snapshots`
    bool is_left_out = false;
  };
  struct Day {
    std::array<PackedRows, kFactTables> facts;
    std::vector<std::size_t> snapshots;
  };

  struct Text {
    const std::string* text;  ///< a key of numbers_
    std::uint64_t hash;
    bool is_unit = false;
  };

  void pack(FactTable table, const std::vector<Fact>& facts, PackedRows& out);
  std::uint64_t number_of(const std::string& text);
  void unpack(FactTable table, std::string_view piece, FactBlock& block) const;
  class FactRows;

  std::vector<Snapshot> snapshots_;
  std::set<SnapshotKey> sent_places_;
  std::set<std::string> machines_;
  std::map<std::uint64_t, Day> days_;
  std::unordered_map<std::string, std::uint64_t> numbers_;  ///< of texts_
  std::vector<Text> texts_;
  std::size_t rows_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace physmem::fleet
