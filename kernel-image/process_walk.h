/* SPDX-License-Identifier: MIT */
/*
 * Writes the records of processes: T:, and once for each address space V:, P:, M: and S:.
 *
 * A dump stands still. A running kernel changes while it is read: live_areas.h.
 */
#ifndef PM_PROCESS_WALK_H
#define PM_PROCESS_WALK_H

#include "process_options.h"
#include "task_list.h"

/* The tasks of one process in a list of tasks: the leader first. */
struct pm_process {
	const struct pm_task_entry *tasks;
	size_t n;
};

struct pm_process_walk;

/* Returns 0 or -ENOMEM. The image and what the options point to must outlive it. */
int pm_process_walk_open(struct pm_process_walk **walk, struct pm_image *image,
			 const struct pm_process_options *options);
/*
 * Returns 0, -ENOMEM, or what stopped() returned. What cannot be read is counted in the notes of
 * the image.
 */
int pm_write_process(struct pm_process_walk *walk, const struct pm_process *process);
/* Writes what the image noted, as counters note.* and markers.*. */
void pm_emit_notes(struct pm_out *out, const struct pm_notes *notes);

/* NULL is permitted. */
void pm_process_walk_close(struct pm_process_walk *walk);

/* The process that begins at this index of the list. */
static inline struct pm_process pm_process_at(const struct pm_tasks *tasks, size_t begin)
{
	struct pm_process process = { &tasks->entries[begin], 0 };
	size_t end;

	for (end = begin; end < tasks->n && tasks->entries[end].tgid == process.tasks->tgid; end++)
		process.n++;
	return process;
}

#endif
