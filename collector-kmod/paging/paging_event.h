/* SPDX-License-Identifier: GPL-2.0-only */
/* The common parts of all kinds of records. */
#ifndef PM_PAGING_EVENT_H
#define PM_PAGING_EVENT_H

#include <linux/sched.h>
#include <linux/swapops.h>
#include <linux/types.h>

#include "emit/paging_record.h"

/* Identity of a task in the initial pid namespace; all 0: unknown. */
struct pm_task_id {
	u32 pid, tgid;
	char comm[PM_PAGING_COMM];
};

/*
 * If the name is being changed, the copy may mix both names. Called under RCU, except for current.
 */
static inline void pm_task_id_of(const struct task_struct *task, struct pm_task_id *task_id)
{
	BUILD_BUG_ON(sizeof(task_id->comm) != sizeof(task->comm));
	task_id->pid = task->pid;
	task_id->tgid = task->tgid;
	memcpy(task_id->comm, task->comm, sizeof(task_id->comm));
	task_id->comm[sizeof(task_id->comm) - 1] = '\0';
}

/* Returns false if the kernel does not know the owner (CONFIG_MEMCG) or the owner has exited. */
bool pm_owner_of(const struct mm_struct *mm, struct pm_task_id *task_id);

/* Initializes the record of page i of the folio whose slots begin at `entry`. */
static inline void pm_record_begin(struct pm_paging_record *record, u8 kind, swp_entry_t entry,
				   unsigned int i, const struct pm_task_id *task_id)
{
	record->address = PM_PAGING_UNKNOWN;
	record->pfn = PM_PAGING_UNKNOWN;
	record->slot = swp_offset(entry) + i;
	record->sector = PM_PAGING_UNKNOWN;
	record->service_ns = PM_PAGING_UNKNOWN;
	record->pid = task_id->pid;
	record->tgid = task_id->tgid;
	record->flags = 0;
	record->kind = kind;
	record->swap_type = swp_type(entry);
	memcpy(record->comm, task_id->comm, sizeof(record->comm));
}

#endif
