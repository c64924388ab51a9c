/* SPDX-License-Identifier: MIT */
/*
 * Writes the VMAs of an address space of a running kernel: V:, P:, M: and S:.
 *
 * The process runs while it is read. Text is kept until a check shows that the space is unchanged
 * (space_state.h), and is then written. After a change it is read again, in smaller pieces, so that
 * each piece takes less time. If PM_SPACE_TRIES reads in a row see a change, the rest of the
 * process is left out and noted.
 *
 * A VMA of more than one stretch is listed piece by piece, because its lists may be larger than
 * memory. Its counts follow the lists, as a second P:. If the VMA shrinks during the read, or
 * another mapping replaces it, the rest is not listed, as in /proc/PID/pagemap.
 */
#ifndef PM_LIVE_AREAS_H
#define PM_LIVE_AREAS_H

#include "area_walk.h"
#include "kept_text.h"
#include "process_options.h"
#include "space_state.h"

#define PM_SPACE_TRIES 6u

struct pm_live_areas {
	const struct pm_process_options *options;
	struct pm_area_walk *walk;
	struct pm_areas list;		/* of the space, when it was last looked at */
	struct pm_area listed;		/* the VMA that is listed piece by piece */
	struct pm_kept kept;		/* text of VMAs since the last check */
	struct pm_end kept_end;		/* its sums */
};

/* The walk and the options must outlive it. */
void pm_live_areas_open(struct pm_live_areas *live, struct pm_area_walk *walk,
			const struct pm_process_options *options);
void pm_live_areas_close(struct pm_live_areas *live);

/*
 * Writes the VMAs of the task's address space. Returns 0, -ENOMEM, or what stopped() returned. A
 * space that ended, or changes all the time, is counted in the notes of the image.
 */
int pm_write_live_areas(struct pm_live_areas *live, const struct pm_task_entry *task);

#endif
