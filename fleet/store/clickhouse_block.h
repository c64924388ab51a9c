// SPDX-License-Identifier: MIT
// Facts in the format Native of ClickHouse: blocks of columns. The server reads a block in less
// time than its rows one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/model/tables.h"
#include "fleet/store/clickhouse_rows.h"

namespace physmem::fleet {

struct HashedText {
  std::string_view text;
  std::uint64_t hash;  ///< its sip_hash()
};

/// Some facts of one table.
class FactBlock {
 public:
  explicit FactBlock(FactTable table);

  /// A fact with the texts and numbers of the table.
  void add(const SnapshotKey& place, std::span<const HashedText> texts,
           std::span<const std::optional<std::uint64_t>> numbers);
  std::size_t rows() const { return rows_; }
  void clear();
  /// The bytes of the block, one after the other, until it changes. None of them is empty.
  std::vector<std::string_view> parts();

 private:
  struct Column {
    std::string head;    ///< its name and type
    std::string nulls;   ///< of each row 1 if it has no value; only if the type is Nullable
    std::string values;  ///< 0 for NULL
  };

  bool begins_with_unit_;
  std::vector<Column> columns_;
  std::size_t rows_ = 0;
  std::string head_;
};

}  // namespace physmem::fleet
