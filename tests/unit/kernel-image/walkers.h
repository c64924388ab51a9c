// SPDX-License-Identifier: MIT
// The walkers of kernel-image, which are C code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" {
#include "kernel-image/file_swap.h"
#include "kernel-image/kernel_areas.h"
#include "kernel-image/kernel_pools.h"
#include "kernel-image/live_areas.h"
#include "kernel-image/page_facts.h"
#include "kernel-image/path.h"
#include "kernel-image/process_walk.h"
#include "kernel-image/pte_walk.h"
#include "kernel-image/ram_section.h"
#include "kernel-image/ram_totals.h"
#include "kernel-image/ram_walk.h"
#include "kernel-image/seen.h"
#include "kernel-image/snapshot.h"
#include "kernel-image/table_format.h"
#include "kernel-image/task_facts.h"
#include "kernel-image/vma_walk.h"
}
