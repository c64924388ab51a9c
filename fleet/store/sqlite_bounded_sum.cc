// SPDX-License-Identifier: MIT
#include "fleet/store/sqlite_bounded_sum.h"

#include <sqlite3.h>

#include <cstdint>

#include "fleet/model/limits.h"

namespace physmem::fleet {
namespace {

/// Zeros before the first row.
struct Sum {
  std::uint64_t rows;
  std::uint64_t sum;  ///< at most kMaxSum, or kMaxNumber
};

void step(sqlite3_context* context, int, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
  auto* const sum = static_cast<Sum*>(sqlite3_aggregate_context(context, sizeof(Sum)));
  if (sum == nullptr) return sqlite3_result_error_nomem(context);
  ++sum->rows;
  sum->sum = bounded_sum(sum->sum, static_cast<std::uint64_t>(sqlite3_value_int64(values[0])));
}

void finish(sqlite3_context* context) {
  const auto* const sum = static_cast<Sum*>(sqlite3_aggregate_context(context, 0));
  if (sum == nullptr || sum->rows == 0) return sqlite3_result_null(context);
  sqlite3_result_int64(context, static_cast<sqlite3_int64>(sum->sum));
}

}  // namespace

void add_bounded_sum(sqlite3* database) {
  sqlite3_create_function_v2(database, "bounded_sum", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nullptr,
                             nullptr, step, finish, nullptr);
}

}  // namespace physmem::fleet
