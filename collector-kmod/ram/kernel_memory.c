// SPDX-License-Identifier: GPL-2.0-only
#include "kernel_memory.h"

#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/vmalloc.h>

#include "kernel/compat_ram.h"

/* Process ids visited per step, of 6,000 instructions each. */
#define PIDS_AT_ONCE 12

#define STACK_PAGES (THREAD_SIZE / PAGE_SIZE)

/* Frames that one step may add: stacks and upper tables, or one page table and its entries. */
#define MAX_ADDED 2048

/* Frames of a block, and the key of one. Frame numbers have at most 52 bits. */
#define BLOCK_PAGES 512
#define BLOCK_KEY (1ull << 63)

/* Bits of a stored value, above the class: the frame is a tail, or reserved. */
#define TAIL 0x80u
#define RESERVED 0x40u

static u64 block_key(u64 pfn)
{
	return BLOCK_KEY | pfn / BLOCK_PAGES;
}

static bool add(struct pm_kernel_memory *memory, u64 key, struct pm_kernel_use use)
{
	return pm_known_add(&memory->known, key,
			    (u64)use.pid << 8 | (use.is_tail ? TAIL : 0) |
				    (use.is_reserved ? RESERVED : 0) | use.class_);
}

/* Frame 0 is never in use by the kernel, so its key is free for the table. */
bool pm_kernel_memory_add(struct pm_kernel_memory *memory, u64 pfn, struct pm_kernel_use use)
{
	return add(memory, pfn, use);
}

bool pm_kernel_memory_add_block(struct pm_kernel_memory *memory, u64 pfn,
				struct pm_kernel_use use)
{
	return add(memory, block_key(pfn), use);
}

bool pm_kernel_use_of(const struct pm_kernel_memory *memory, u64 pfn, struct pm_kernel_use *use)
{
	const u64 *found = pm_known_find(&memory->known, pfn);

	if (!found)
		found = pm_known_find(&memory->known, block_key(pfn));
	if (found)
		*use = (struct pm_kernel_use){
			.class_ = *found & (RESERVED - 1),
			.pid = *found >> 8,
			.is_tail = *found & TAIL,
			.is_reserved = *found & RESERVED,
		};
	return found;
}

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

void pm_kernel_memory_free(struct pm_kernel_memory *memory)
{
	pm_known_free(&memory->known);
}
