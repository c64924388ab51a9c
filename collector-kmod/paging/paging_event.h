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
static inline void pm_task_id_of(const struct task_struct *task, struct pm_task_id *who)
{
	BUILD_BUG_ON(sizeof(who->comm) != sizeof(task->comm));
	who->pid = task->pid;
	who->tgid = task->tgid;
	memcpy(who->comm, task->comm, sizeof(who->comm));
	who->comm[sizeof(who->comm) - 1] = '\0';
}

/* Returns false if the kernel does not know the owner (CONFIG_MEMCG) or the owner has exited. */
bool pm_owner_of(const struct mm_struct *mm, struct pm_task_id *who);

/* Initializes the record of page i of the folio whose slots begin at `entry`. */
static inline void pm_record_begin(struct pm_paging_record *record, u8 kind, swp_entry_t entry,
				   unsigned int i, const struct pm_task_id *who)
{
	record->address = PM_PAGING_UNKNOWN;
	record->pfn = PM_PAGING_UNKNOWN;
	record->slot = swp_offset(entry) + i;
	record->sector = PM_PAGING_UNKNOWN;
	record->service_ns = PM_PAGING_UNKNOWN;
	record->pid = who->pid;
	record->tgid = who->tgid;
	record->flags = 0;
	record->kind = kind;
	record->swap_type = swp_type(entry);
	memcpy(record->comm, who->comm, sizeof(record->comm));
}

#endif
