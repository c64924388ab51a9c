/* SPDX-License-Identifier: MIT */
/* Access to the dump that crash has opened. */
#ifndef PM_CRASH_DUMP_H
#define PM_CRASH_DUMP_H

#include "kernel-image/dump.h"

/* is_interrupted: callback of the command. */
void pm_crash_dump(struct pm_dump *dump, bool (*is_interrupted)(void *self));

#endif
