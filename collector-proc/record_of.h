// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collector-proc/maps_reader.h"
#include "collector-proc/process_reader.h"
#include "formats/emit/records.h"

namespace physmem::collect {

/// Converts facts to the emitter's records. A record points to the texts of the arguments, which
/// must outlive it.
pm_task record_of(const Process& process, const Thread& thread, std::uint64_t mm);
pm_vma record_of(const Area& area, std::uint64_t resident_bytes);

}  // namespace physmem::collect
