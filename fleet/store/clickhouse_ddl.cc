// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_ddl.h"

#include "fleet/sql/sql_text.h"
#include "fleet/store/clickhouse_sql.h"

namespace physmem::fleet {

std::vector<std::string> clickhouse_ddl(const ClickhouseUrl& url) {
  const SqlParameters parameters{{{"database", url.database}, {"cluster", url.cluster}}, {}};
  std::vector<std::string> statements;
  for (const std::string& statement : sql_statements(sql_text("clickhouse", "schema")))
    if (!url.cluster.empty() || statement.find("{cluster}") == statement.npos)
      statements.push_back(filled_sql(statement, parameters));
  return statements;
}

}  // namespace physmem::fleet
