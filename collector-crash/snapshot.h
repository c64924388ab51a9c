/* SPDX-License-Identifier: MIT */
/* A snapshot of what a dump holds: the records of formats/physmem-records.md, in their order. */
#ifndef PM_SNAPSHOT_H
#define PM_SNAPSHOT_H

#include "emit/emit.h"
#include "image.h"

struct pm_choice {
	const __u64 *pids;	/* of processes or threads; none: all */
	bool *met;		/* for each of them: set when the dump has it */
	size_t n_pids;
	bool without_pages;	/* no M: and S: lines */
};

struct pm_progress {
	void (*tell)(void *to, size_t tasks_done, size_t tasks, __u64 pages);	/* often; NULL: nobody wants to know */
	void *to;
};

/*
 * 0: all was written, what it was is in end. -EINTR: the user stopped it; -ENODATA: the dump has no
 * tasks; -ESRCH: none of the processes chosen; -ENOMEM; or the error of out.
 */
int pm_snapshot(struct pm_image *image, const struct pm_choice *choice, const struct pm_progress *progress,
		struct pm_out *out, struct pm_end *end);

#endif
