// SPDX-License-Identifier: GPL-2.0-only
#include "fault_hook.h"

#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>

#include "fault_table.h"
#include "kernel/compat.h"
#include "kernel/kernel_types.h"

#ifdef CONFIG_KRETPROBES

static bool threads_count_for_process;

/*
 * Runs in the faulting task, with preemption off. The fault may be in another process's memory
 * (ptrace, /proc/PID/mem, exec). The kernel counts it for the accessing task, and so does this
 * function. A kernel thread that accesses user memory has no mm of its own.
 */
static void count_fault(void)
{
	const struct task_struct *task =
		threads_count_for_process ? current->group_leader : current;
	struct mm_struct *mm = current->mm;
	struct pm_fault fault = {
		.pid = task->pid,
		.start_time = task->start_time,
		.comm = task->comm,
		.at = ktime_get_real_seconds(),
		/* The total size of all VMAs. The kernel maintains it, so no walk is needed. */
		.vm_pages = mm ? READ_ONCE(mm->total_vm) : 0,
		.rss_pages = mm ? pm_current_rss(mm) : 0,
	};

	pm_fault_table_count(&fault);
}

/*
 * Counts the faults that add 1 to the task's min_flt or maj_flt: those that completed without an
 * error. A call that returns RETRY is the first half of a fault. Linux kernel commit bce617edecad
 * ("mm: do page fault accounting in handle_mm_fault") (in v5.9).
 */
static int after_handle_mm_fault(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	vm_fault_t result = (__force vm_fault_t)regs_return_value(regs);

	if (!(result & (VM_FAULT_ERROR | VM_FAULT_RETRY)))
		count_fault();
	return 0;
}

static struct kretprobe hook = {
	.kp.symbol_name = "handle_mm_fault",
	.handler = after_handle_mm_fault,
};

/* Also returns 0 if the kernel has no BTF. */
static int check_return_type(void)
{
	struct pm_kernel_types types;
	int bytes = -ENOENT;

	pm_kernel_types_read(&types);
	if (types.file)
		bytes = pm_btf_returns(&types.btf, hook.kp.symbol_name);
	pm_kernel_types_free(&types);
	return bytes == -ENOENT || bytes == sizeof(vm_fault_t) ? 0 : -EINVAL;
}

int pm_fault_hook_init(unsigned int maxactive, bool by_process)
{
	int error = check_return_type();

	if (error)
		return error;
	threads_count_for_process = by_process;
	hook.maxactive = maxactive;
	return register_kretprobe(&hook);
}

/* Calls still in progress return without running the handler. */
void pm_fault_hook_exit(void)
{
	unregister_kretprobe(&hook);
}

/* Missed because no instance was free or another probe was running on that CPU. */
unsigned long pm_fault_hook_missed(void)
{
	return READ_ONCE(hook.nmissed) + READ_ONCE(hook.kp.nmissed);
}

#else

int pm_fault_hook_init(unsigned int maxactive, bool by_process)
{
	return -EOPNOTSUPP;
}

void pm_fault_hook_exit(void)
{
}

unsigned long pm_fault_hook_missed(void)
{
	return 0;
}

#endif
