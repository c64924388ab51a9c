// SPDX-License-Identifier: GPL-2.0-only
#include "compat.h"
#include "paging_hook.h"

#include <linux/errno.h>
#include <linux/printk.h>

#if defined(CONFIG_KRETPROBES) && defined(HAVE_KERNEL_ARGUMENT)

static int set_by_name(struct pm_hook *hook, const char *name, unsigned int sleepers)
{
	/* The kernel leaves its own marks in it, also when it fails. */
	memset(&hook->probe, 0, sizeof(hook->probe));
	hook->probe.kp.symbol_name = name;
	hook->probe.kp.flags = KPROBE_FLAG_DISABLED;
	if (hook->on_call) {
		hook->probe.kp.pre_handler = hook->on_call;
		return register_kprobe(&hook->probe.kp);
	}
	hook->probe.entry_handler = hook->on_entry;
	hook->probe.handler = hook->on_return;
	hook->probe.data_size = hook->data;
	hook->probe.maxactive = sleepers;
	return register_kretprobe(&hook->probe);
}

static int set_hook(struct pm_hook *hook, unsigned int sleepers)
{
	unsigned int i;
	int error = -ENOENT;

	if (hook->is_idle && hook->is_idle())
		return 0;
	for (i = 0; error == -ENOENT && i < ARRAY_SIZE(hook->names) && hook->names[i]; i++)
		error = set_by_name(hook, hook->names[i], sleepers);
	hook->is_set = !error;
	if (!error)
		return 0;
	if (hook->is_optional && error != -ENOMEM)
		return 0;
	pr_err("physmem_paging: %s%s%s cannot be probed (error %d; -2: the kernel has no such function, or it was inlined)\n",
	       hook->names[0], hook->names[1] ? ", or by another name " : "", hook->names[1] ? hook->names[1] : "", error);
	return error;
}

static void remove_hook(struct pm_hook *hook)
{
	if (!hook->is_set)
		return;
	if (hook->on_call)
		unregister_kprobe(&hook->probe.kp);
	else
		unregister_kretprobe(&hook->probe);
	hook->is_set = false;
}

int pm_hooks_set(struct pm_hook *hooks, size_t n, unsigned int sleepers)
{
	size_t i;
	int error = 0;

	for (i = 0; !error && i < n; i++)
		error = set_hook(&hooks[i], sleepers);
	if (error)
		pm_hooks_remove(hooks, n);
	return error;
}

void pm_hooks_remove(struct pm_hook *hooks, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		remove_hook(&hooks[i]);
}

int pm_hooks_arm(struct pm_hook *hooks, size_t n)
{
	size_t i;
	int error = 0;

	for (i = 0; !error && i < n; i++)
		if (hooks[i].is_set)
			error = enable_kprobe(&hooks[i].probe.kp);
	if (error)
		pm_hooks_disarm(hooks, n);
	return error;
}

void pm_hooks_disarm(struct pm_hook *hooks, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (hooks[i].is_set)
			disable_kprobe(&hooks[i].probe.kp);
}

unsigned long pm_hooks_missed(const struct pm_hook *hooks, size_t n)
{
	unsigned long missed = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (hooks[i].is_set && hooks[i].is_event)
			missed += READ_ONCE(hooks[i].probe.nmissed) + READ_ONCE(hooks[i].probe.kp.nmissed);
	return missed;
}

#else

int pm_hooks_set(struct pm_hook *hooks, size_t n, unsigned int sleepers)
{
	pr_err("physmem_paging: this kernel has no CONFIG_KRETPROBES, or its architecture tells no arguments of functions\n");
	return -EOPNOTSUPP;
}

void pm_hooks_remove(struct pm_hook *hooks, size_t n)
{
}

int pm_hooks_arm(struct pm_hook *hooks, size_t n)
{
	return -EOPNOTSUPP;
}

void pm_hooks_disarm(struct pm_hook *hooks, size_t n)
{
}

unsigned long pm_hooks_missed(const struct pm_hook *hooks, size_t n)
{
	return 0;
}

#endif
