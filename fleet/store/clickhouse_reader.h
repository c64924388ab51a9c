// SPDX-License-Identifier: MIT
// Questions to a store in ClickHouse. Of a question that groups facts by machine, each shard
// answers its part; others go to the first shard, which asks the others.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "fleet/store/clickhouse_connection.h"
#include "fleet/store/store.h"

namespace physmem::fleet {

class ClickhouseReader {
 public:
  explicit ClickhouseReader(ClickhouseConnection& connection) : connection_(connection) {}

  Status ask(Question question, const Selection& selection, const Store::TakeRow& take);

 private:
  SqlParameters parameters_of(const Selection& selection) const;
  Status choose_days(Question question, const Selection& selection, SqlParameters& parameters);
  Result<std::map<std::uint64_t, bool>> days_of(const Selection& selection);
  Status ask_each(const std::string& sql, const Store::TakeRow& take);

  ClickhouseConnection& connection_;
};

}  // namespace physmem::fleet
