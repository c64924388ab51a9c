/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * G: lines: counters of the whole system that the kernel lets modules see, named as physmem-collect
 * names them.
 */
#ifndef PM_COUNTERS_H
#define PM_COUNTERS_H

#include "emit/emit.h"

void pm_emit_system_counters(struct pm_out *out);

#endif
