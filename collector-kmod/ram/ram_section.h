/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of a snapshot about the whole of RAM: zones, totals, every frame with its owner, totals
 * again. It is made in steps; no lock and no reference is held between two of them.
 */
#ifndef PM_RAM_SECTION_H
#define PM_RAM_SECTION_H

#include <linux/limits.h>

#include "emit/emit.h"
#include "frame_walk.h"

/*
 * The longest text of one step: an R: line for each frame and, for the last of them, an O: line of
 * a file and one of a cgroup, whose paths may all be escaped (4 characters each).
 */
#define PM_MAX_RAM_BYTES (PM_RAM_STEP * 160 + 2 * (4 * PATH_MAX + 320))

struct pm_ram;

/* Once, when the module is loaded and before it is unloaded. Returns 0 or an error. */
int pm_ram_init(void);
void pm_ram_exit(void);

/* Writes to out. Returns NULL if out of memory. */
struct pm_ram *pm_ram_new(struct pm_out *out);
void pm_ram_free(struct pm_ram *ram);

/*
 * A process maps the huge zero page, which begins at this frame. To be called before the first
 * step.
 */
void pm_ram_note_huge_zero(struct pm_ram *ram, u64 pfn);

/* Makes the next step. Returns 0 or an error. */
int pm_ram_step(struct pm_ram *ram);
bool pm_ram_is_done(const struct pm_ram *ram);

#endif
