// SPDX-License-Identifier: GPL-2.0-only
#include "kernel_memory_walk.h"

#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/vmalloc.h>

#include "kernel/compat_ram.h"
#include "kernel_tables.h"

/* Process ids visited per step, of 6,000 instructions each. */
#define PIDS_AT_ONCE 12

#define STACK_PAGES (THREAD_SIZE / PAGE_SIZE)

/* Frames that one step may add: stacks and upper tables, or one page table and its entries. */
#define MAX_ADDED 2048

/*
 * A task may give back its stack while it is looked at. put_task_stack() is not exported, so no
 * reference can be taken; the walk of the kernel's tables then finds nothing, or a frame that is
 * not the task's any more. It is used only if its struct page does not say something else.
 */
u64 pm_stack_frame(const struct task_struct *task, unsigned int i)
{
	const void *stack = READ_ONCE(task->stack);
	struct page *page = NULL;

	if (stack && is_vmalloc_addr(stack))
		page = vmalloc_to_page(stack + i * PAGE_SIZE);
	else if (stack && virt_addr_valid(stack))
		page = virt_to_page(stack + i * PAGE_SIZE);
	return page ? page_to_pfn(page) : 0;
}

static void add_task(struct pm_kernel_memory *memory, struct task_struct *task)
{
	struct pm_kernel_use use = { .class_ = PM_RAM_KERNEL_STACK, .pid = task->pid };
	unsigned int i;
	u64 pfn;

	for (i = 0; i < STACK_PAGES; i++) {
		pfn = pm_stack_frame(task, i);
		if (pfn)
			pm_kernel_memory_add(memory, pfn, use);
	}
	if (!thread_group_leader(task) || task->flags & PF_KTHREAD)
		return;
	task_lock(task);		/* keeps its mm */
	if (task->mm)
		pm_add_tables_of(memory, task->mm);
	task_unlock(task);
}

/* Returns false after the last task. */
static bool add_tasks(struct pm_kernel_memory *memory)
{
	struct pid *pid = NULL;
	struct task_struct *task;
	int i;

	rcu_read_lock();
	for (i = 0; i < PIDS_AT_ONCE; i++) {
		pid = pm_find_ge_pid(memory->next_pid);
		if (!pid)
			break;
		memory->next_pid = pid_nr(pid) + 1;
		task = pid_task(pid, PIDTYPE_PID);
		if (task)
			add_task(memory, task);
	}
	rcu_read_unlock();
	return pid;
}

bool pm_kernel_memory_step(struct pm_kernel_memory *memory)
{
	if (pm_known_reserve(&memory->known, MAX_ADDED)) {
		memory->is_full = true;
		return false;
	}
	if (memory->is_walking)
		return pm_add_kernel_tables(memory);
	memory->is_walking = !add_tasks(memory);
	return true;
}
