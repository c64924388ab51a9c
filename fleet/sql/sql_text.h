// SPDX-License-Identifier: MIT
// The SQL of this program, which CMake embeds: fleet/sql/DIALECT/NAME.sql.
#pragma once

#include <string_view>

namespace physmem::fleet {

/// Empty if there is no such file. `dialect`: sqlite or clickhouse.
std::string_view sql_text(std::string_view dialect, std::string_view name);

}  // namespace physmem::fleet
