/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probed kernel functions, in tables, by name. The probes are registered when the module is loaded,
 * and armed while the device is open.
 */
#ifndef PM_PAGING_HOOK_H
#define PM_PAGING_HOOK_H

#include <linux/kprobes.h>
#include <linux/types.h>

#include "kernel/compat.h"
#include "kernel/kernel_types.h"

#define PM_HOOK_ARGUMENTS 3
/* A folio argument: a page before v5.16, in some functions also later. */
#define PM_FOLIO { "folio", "page" }

/*
 * An argument that a handler reads. The functions are static: only the running kernel's BTF has its
 * position.
 */
struct pm_hook_argument {
	/*
	 * Set by the table: alternative names of the struct it points to, or of its integer type.
	 */
	const char *types[2];
	/* Position from 0. Set by the table for kernels without BTF; pm_hooks_set() replaces it. */
	u8 at;
	/* Index in types of the one that BTF has. */
	u8 found;
};

struct pm_hook {
	/* Set by the table: */
	const char *names[2];		/* the first one that the kernel has */
	kprobe_pre_handler_t on_call;	/* a kprobe; NULL: a kretprobe with the next two */
	kretprobe_handler_t on_entry, on_return;
	size_t data;			/* bytes passed from on_entry to on_return */
	struct pm_hook_argument arguments[PM_HOOK_ARGUMENTS];
	u8 returns;			/* bytes of the integer that on_return reads; 0: not read */
	bool is_optional;
	/* True: a missed call is a lost event. False: an event only lacks a detail. */
	bool is_event;
	/* Called when all hooks before this one are set. True: do not set this one. */
	bool (*is_idle)(void);
	/* Internal: */
	struct kretprobe probe;
	bool is_set;
};

/*
 * Registers all hooks, disarmed. types: source of the argument positions. maxactive: calls of each
 * function that may be in progress at once. Optional hooks that fail are left out. For others an
 * error is logged and returned: -ENOENT, the function is missing; -EINVAL, it takes or returns
 * other types than its handler expects; -EOPNOTSUPP, the kernel lacks such probes.
 */
int pm_hooks_set(struct pm_hook *hooks, size_t n, const struct pm_kernel_types *types,
		 unsigned int maxactive);
void pm_hooks_remove(struct pm_hook *hooks, size_t n);

/*
 * Prints a line per hook: "FUNCTION TYPE:POSITION,..." with the arguments that are read, or
 * "FUNCTION unset". Returns the number of bytes, less than size.
 */
int pm_hooks_print(const struct pm_hook *hooks, size_t n, char *buffer, size_t size);

/*
 * A disarmed function runs as without the module. Calls in progress still return through on_return.
 */
int pm_hooks_arm(struct pm_hook *hooks, size_t n);
void pm_hooks_disarm(struct pm_hook *hooks, size_t n);

/* The number of missed calls of hooks that are events. */
unsigned long pm_hooks_missed(const struct pm_hook *hooks, size_t n);

/* Reads arguments[which] of the hook; valid only at the entry of its function. */
static inline unsigned long pm_hook_argument(const struct pm_hook *hook, struct pt_regs *regs,
					     unsigned int which)
{
	return pm_argument(regs, hook->arguments[which].at);
}

#endif
