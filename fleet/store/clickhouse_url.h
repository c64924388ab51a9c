// SPDX-License-Identifier: MIT
// clickhouse+http[s]://[USER[:PASSWORD]@]HOST[:PORT][,HOST[:PORT]]…[/DATABASE][?NAME=VALUE&…]
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/result.h"

namespace physmem::fleet {

struct ClickhouseUrl {
  bool is_https = false;
  /// HOST:PORT of each shard, in any order. An IPv6 address is in brackets.
  std::vector<std::string> hosts;
  std::string user;
  std::string password;
  std::string database = "physmem";
  std::string cluster;  ///< of the server's configuration; empty: one server
  std::string ca_file;  ///< certificates that sign the server's; empty: the system's
  std::uint64_t timeout_seconds = 600;    ///< of one request
  std::uint64_t batch_rows = 10'000'000;  ///< after so many rows, all that were added are sent
  std::uint64_t retry_seconds = 60;       ///< how long rows are sent again while a shard is down
};

bool is_clickhouse_url(std::string_view url);

/// User, password and values are percent-decoded. password-file=FILE is read. Names of the database
/// and the cluster are identifiers, so that they need no quotation in SQL.
Result<ClickhouseUrl> parse_clickhouse_url(std::string_view url);

}  // namespace physmem::fleet
