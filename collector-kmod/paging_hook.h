/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of the kernel that are looked at, by name: a table of them, set when the module is loaded, armed while
 * somebody reads.
 */
#ifndef PM_PAGING_HOOK_H
#define PM_PAGING_HOOK_H

#include <linux/kprobes.h>
#include <linux/types.h>

#include "probed/capabilities.h"

struct pm_hook {
	/* Given: */
	const char *names[2];		/* the first one that the kernel has */
	kprobe_pre_handler_t on_call;	/* or, with a return: */
	kretprobe_handler_t on_entry, on_return;
	size_t data;			/* bytes from entry to return */
	bool is_optional;
	bool is_event;			/* a call that was not seen is a lost event; else an event only lacks a detail */
	bool (*is_idle)(void);		/* asked after all hooks before it are set; true: leave this one out */
	/* Kept: */
	struct kretprobe probe;
	bool is_set;
};

/*
 * Finds and sets all, without arming them. sleepers: calls of each that may be under way at once. -ENOENT, after a
 * message with the name, when one that is needed is not there; -EOPNOTSUPP: the kernel has no such probes.
 */
int pm_hooks_set(struct pm_hook *hooks, size_t n, unsigned int sleepers);
void pm_hooks_remove(struct pm_hook *hooks, size_t n);

/* A disarmed function is as it was without the module. Calls under way still return through on_return. */
int pm_hooks_arm(struct pm_hook *hooks, size_t n);
void pm_hooks_disarm(struct pm_hook *hooks, size_t n);

/* Calls that stand for an event and that no probe could be spared for. */
unsigned long pm_hooks_missed(const struct pm_hook *hooks, size_t n);

/* Argument n of the function whose first instruction is next. */
static inline unsigned long pm_argument(struct pt_regs *regs, unsigned int n)
{
#ifdef HAVE_KERNEL_ARGUMENT
	return regs_get_kernel_argument(regs, n);
#else
	return 0;			/* pm_hooks_set() refuses */
#endif
}

#endif
