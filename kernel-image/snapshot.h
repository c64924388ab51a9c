/* SPDX-License-Identifier: MIT */
/* Writes a snapshot of a dump: the records of formats/physmem-records.md, in their order. */
#ifndef PM_SNAPSHOT_H
#define PM_SNAPSHOT_H

#include "emit/emit.h"
#include "ram_section.h"

struct pm_choice {
	const __u64 *pids;	/* of processes or threads */
	bool *met;		/* for each pid: set if the dump has it */
	size_t n_pids;		/* 0: all processes */
	bool without_pages;	/* no M: and S: lines */
	const struct pm_ram_section *ram;	/* NULL: only the memory of processes */
};

struct pm_progress {
	/* Called often; may be NULL. */
	void (*report)(void *to, size_t tasks_done, size_t tasks, __u64 pages);
	void *to;
};

/*
 * Returns 0 with the totals in end, -EINTR (stopped by the user), -ENODATA (the dump has no tasks),
 * -ESRCH (the dump has none of the chosen processes), -ENOMEM, or the error of out.
 */
int pm_snapshot(struct pm_image *image, const struct pm_choice *choice,
		const struct pm_progress *progress, struct pm_out *out, struct pm_end *end);

#endif
