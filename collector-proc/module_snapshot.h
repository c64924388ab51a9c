// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "collector-proc/machine.h"
#include "formats/output/output.h"
#include "program/errors.h"

namespace physmem::collect {

/// The devices of the kernel module physmem_info: /dev/task_mem.
inline constexpr const char* kModuleDevices = "/dev/task_mem";

/// Copies a snapshot that the kernel module writes, with the whole of RAM or without. Of `machine`
/// only the number in the series and the lost snapshots are added, which the module does not know.
Status copy_module_snapshot(const std::string& devices, bool with_ram, const Machine& machine,
                            Output& output);

}  // namespace physmem::collect
