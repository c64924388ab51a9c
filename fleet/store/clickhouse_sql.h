// SPDX-License-Identifier: MIT
// The SQL of fleet/sql/clickhouse with its parameters. ClickHouse 18.16 has no parameters, so they
// become literals of the text. All literals are written here.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/store/snapshot_key.h"

namespace physmem::fleet {

/// A literal of SQL.
class SqlLiteral {
 public:
  SqlLiteral(std::uint64_t number) : text_(std::to_string(number)) {}
  SqlLiteral(std::string_view text);
  SqlLiteral(const std::vector<std::string>& texts);
  SqlLiteral(const std::vector<std::uint64_t>& numbers);
  /// Without functions, which ClickHouse 18.16 would run for each key.
  SqlLiteral(const std::vector<SnapshotKey>& keys);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

struct SqlParameters {
  std::map<std::string, std::string, std::less<>> names;  ///< {NAME}: identifiers, parts of SQL
  std::map<std::string, SqlLiteral, std::less<>> values;  ///< :NAME
};

/// The text without comments, and with its parameters. [NAME: PART] becomes PART if there is a
/// value of this name, otherwise nothing. A parameter that has no value stays, so that the server
/// rejects it.
std::string filled_sql(std::string_view text, const SqlParameters& parameters);
/// Statements that end in ";".
std::vector<std::string> sql_statements(std::string_view text);

/// A field of the format TabSeparated, with its escapes.
void append_tab_separated(std::string& out, std::string_view text);

/// SipHash-2-4 with the key 0, as sipHash64() of ClickHouse.
std::uint64_t sip_hash(std::string_view text);
std::vector<std::uint64_t> hashes_of(const std::vector<std::string>& texts);

}  // namespace physmem::fleet
