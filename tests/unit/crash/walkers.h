// SPDX-License-Identifier: MIT
// The walkers of collector-crash, which are C code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" {
#include "collector-crash/file_swap.h"
#include "collector-crash/pte_walk.h"
#include "collector-crash/ram_section.h"
#include "collector-crash/snapshot.h"
#include "collector-crash/task_facts.h"
#include "collector-crash/vma_walk.h"
#include "kernel-image/kernel_areas.h"
#include "kernel-image/kernel_pools.h"
#include "kernel-image/page_facts.h"
#include "kernel-image/path.h"
#include "kernel-image/ram_totals.h"
#include "kernel-image/ram_walk.h"
#include "kernel-image/seen.h"
#include "kernel-image/table_format.h"
}
