/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A snapshot that is made while it is read, step by step, in bounded memory. No locks are held
 * between two steps.
 */
#ifndef PM_SNAPSHOT_H
#define PM_SNAPSHOT_H

#include "emit/emit.h"

/* How often the VMAs of an address space are written. */
enum pm_repeat {
	PM_ONCE_A_MM,	/* after the first task that has it */
	PM_ONCE_A_TASK	/* after every task that has it, as in the paper's collector */
};

/* Set once, when the module is loaded. */
extern enum pm_repeat pm_repeat_areas;

/*
 * Maximum memory of a snapshot in progress, independent of the size of the system. The whole of RAM
 * takes more: see PM_MAX_KNOWN.
 */
#define PM_SNAPSHOT_BYTES (128 * 1024)

struct pm_snapshot;

/* has_ram: with every frame of RAM, after the tasks. Returns NULL if out of memory. */
struct pm_snapshot *pm_snapshot_new(bool has_ram);
void pm_snapshot_free(struct pm_snapshot *snapshot);

/*
 * Makes the next piece of text, which replaces the previous one. Returns 0, with *bytes 0 at the
 * end of the snapshot. Returns -ERESTARTSYS or -EINTR if a signal is pending; call again later.
 */
int pm_snapshot_next(struct pm_snapshot *snapshot, const char **text, size_t *bytes);

#endif
