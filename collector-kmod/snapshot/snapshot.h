/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A snapshot that is made while it is read, in bounded memory: step by step, and nothing is held
 * between two steps.
 */
#ifndef PM_SNAPSHOT_H
#define PM_SNAPSHOT_H

#include "emit/emit.h"

/* How often the areas of an address space are written. */
enum pm_repeat {
	PM_ONCE_A_MM,	/* after the first task that has it */
	PM_ONCE_A_TASK	/* after each, as the paper's collector did */
};

/* Set once, when the module is loaded. */
extern enum pm_repeat pm_repeat_areas;

/* The most memory a snapshot in the making takes, whatever the size of the system. */
#define PM_SNAPSHOT_BYTES (128 * 1024)

struct pm_snapshot;

/* NULL: no memory. */
struct pm_snapshot *pm_snapshot_new(void);
void pm_snapshot_free(struct pm_snapshot *snapshot);

/*
 * Makes the next piece of text, which replaces the one before. 0, with no bytes when all was made;
 * -ERESTARTSYS or -EINTR: a signal is pending, call again later.
 */
int pm_snapshot_next(struct pm_snapshot *snapshot, const char **text, size_t *bytes);

#endif
