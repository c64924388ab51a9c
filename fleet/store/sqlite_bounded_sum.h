// SPDX-License-Identifier: MIT
// bounded_sum(X) in the SQL of SQLite.
#pragma once

struct sqlite3;

namespace physmem::fleet {

/// Adds the aggregate function: sum(X), but kMaxNumber instead of a sum above kMaxSum, with which
/// sum(X) would end the statement.
void add_bounded_sum(sqlite3* database);

}  // namespace physmem::fleet
