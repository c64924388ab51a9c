/* SPDX-License-Identifier: MIT */
/* The record of a T: line. */
#ifndef PM_TASK_FACTS_H
#define PM_TASK_FACTS_H

#include "emit/records.h"
#include "task_list.h"

/* Buffers for the names in a T: line: TASK_COMM_LEN and PATH_MAX bytes. */
struct pm_task_names {
	char comm[17];
	char cgroup[4096];
};

/*
 * Fills in the record of a T: line, which points into names. group: all tasks of the process,
 * including task.
 */
void pm_task_facts(struct pm_image *image, const struct pm_task_entry *task,
		   const struct pm_task_entry *group, size_t n, struct pm_task *record,
		   struct pm_task_names *names);

#endif
