/* SPDX-License-Identifier: GPL-2.0-only */
/* G: lines: the system-wide counters that modules can read, with the names of physmem-collect. */
#ifndef PM_COUNTERS_H
#define PM_COUNTERS_H

#include "emit/emit.h"

void pm_emit_system_counters(struct pm_out *out);

#endif
