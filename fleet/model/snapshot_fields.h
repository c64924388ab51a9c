// SPDX-License-Identifier: MIT
// The members of SnapshotLine by the order of snapshot_columns().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "fleet/model/report.h"

namespace physmem::fleet {

using SnapshotField = std::variant<std::string SnapshotLine::*, std::uint64_t SnapshotLine::*,
                                   std::optional<std::uint64_t> SnapshotLine::*>;

inline constexpr SnapshotField kSnapshotFields[]{
    &SnapshotLine::key,        &SnapshotLine::machine,   &SnapshotLine::host,
    &SnapshotLine::boot,       &SnapshotLine::kernel,    &SnapshotLine::arch,
    &SnapshotLine::collector,  &SnapshotLine::release,   &SnapshotLine::archive,
    &SnapshotLine::time_ns,    &SnapshotLine::uptime_ns, &SnapshotLine::sequence,
    &SnapshotLine::page_size,  &SnapshotLine::ram_bytes, &SnapshotLine::has_pages,
    &SnapshotLine::has_ledger, &SnapshotLine::lost,
};

}  // namespace physmem::fleet
