// SPDX-License-Identifier: MIT
// The whole of RAM as a part of message 4 (protocol.md, "The whole of RAM").
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analyzer/analyze/ram/ram_runs.h"

namespace physmem::view {

/// Columns of 32 bits per run.
inline constexpr std::size_t kRamColumns = 5;

/// Classes, zones and owners.
nlohmann::json ram_facts(const RamRuns& ram);
void append_ram_columns(std::string& to, const RamRuns& ram);

/// Little endian.
void append_u32(std::string& to, std::uint32_t value);

}  // namespace physmem::view
