// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/compat.h"
#include "paging_hook.h"

#include <linux/errno.h>
#include <linux/printk.h>

#ifdef PM_CAN_READ_ARGUMENTS

static int set_by_name(struct pm_hook *hook, const char *name, unsigned int maxactive)
{
	/* The kernel modifies the structure, even if registration fails. */
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
	hook->probe.maxactive = maxactive;
	return register_kretprobe(&hook->probe);
}

static int locate_argument(struct pm_hook_argument *argument, const char *name,
			   const struct pm_btf *btf)
{
	int at = -EINVAL;
	u8 i;

	for (i = 0; at == -EINVAL && i < ARRAY_SIZE(argument->types) && argument->types[i]; i++) {
		at = pm_btf_argument(btf, name, argument->types[i]);
		argument->found = i;
	}
	if (at >= 0)
		argument->at = at;
	return min(at, 0);
}

/*
 * -EINVAL: the function takes or returns other types than the handlers expect. Without BTF, or if
 * the BTF lacks the function, the default positions are kept.
 */
static int locate_arguments(struct pm_hook *hook, const char *name,
			    const struct pm_kernel_types *types)
{
	int found = 0;
	unsigned int i;

	if (!types->file)
		return 0;
	for (i = 0; !found && i < ARRAY_SIZE(hook->arguments) && hook->arguments[i].types[0]; i++)
		found = locate_argument(&hook->arguments[i], name, &types->btf);
	if (!found && hook->returns) {
		found = pm_btf_returns(&types->btf, name);
		if (found >= 0)
			found = found == hook->returns ? 0 : -EINVAL;
	}
	return found == -ENOENT ? 0 : found;
}

static int set_by_first_name(struct pm_hook *hook, const struct pm_kernel_types *types,
			     unsigned int maxactive)
{
	int error = -ENOENT;
	unsigned int i;

	for (i = 0; error == -ENOENT && i < ARRAY_SIZE(hook->names) && hook->names[i]; i++) {
		error = locate_arguments(hook, hook->names[i], types);
		if (!error)
			error = set_by_name(hook, hook->names[i], maxactive);
	}
	return error;
}

static const char *reason_of(int error)
{
	switch (error) {
	case -ENOENT:
		return ", the function is missing or was inlined";
	case -EINVAL:
		return ", the function takes or returns unexpected types";
	}
	return "";
}

static int set_hook(struct pm_hook *hook, const struct pm_kernel_types *types,
		    unsigned int maxactive)
{
	int error;

	if (hook->is_idle && hook->is_idle())
		return 0;
	error = set_by_first_name(hook, types, maxactive);
	hook->is_set = !error;
	if (!error)
		return 0;
	if (hook->is_optional && error != -ENOMEM)
		return 0;
	pr_err("physmem_paging: cannot probe %s%s%s: error %d%s\n", hook->names[0],
	       hook->names[1] ? " or " : "", hook->names[1] ? hook->names[1] : "", error,
	       reason_of(error));
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

int pm_hooks_set(struct pm_hook *hooks, size_t n, const struct pm_kernel_types *types,
		 unsigned int maxactive)
{
	size_t i;
	int error = 0;

	for (i = 0; !error && i < n; i++)
		error = set_hook(&hooks[i], types, maxactive);
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

static int print_hook(const struct pm_hook *hook, char *buffer, size_t size)
{
	const struct pm_hook_argument *argument = hook->arguments;
	int bytes;

	if (!hook->is_set)
		return scnprintf(buffer, size, "%s unset\n", hook->names[0]);
	bytes = scnprintf(buffer, size, "%s ", hook->probe.kp.symbol_name);
	for (; argument < hook->arguments + PM_HOOK_ARGUMENTS && argument->types[0]; argument++)
		bytes += scnprintf(buffer + bytes, size - bytes, "%s%s:%u",
				   argument == hook->arguments ? "" : ",",
				   argument->types[argument->found], argument->at);
	return bytes + scnprintf(buffer + bytes, size - bytes, "\n");
}

int pm_hooks_print(const struct pm_hook *hooks, size_t n, char *buffer, size_t size)
{
	int bytes = 0;
	size_t i;

	for (i = 0; i < n; i++)
		bytes += print_hook(&hooks[i], buffer + bytes, size - bytes);
	return bytes;
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
			missed += READ_ONCE(hooks[i].probe.nmissed) +
				  READ_ONCE(hooks[i].probe.kp.nmissed);
	return missed;
}

#else

int pm_hooks_set(struct pm_hook *hooks, size_t n, const struct pm_kernel_types *types,
		 unsigned int maxactive)
{
	pr_err("physmem_paging: unsupported: the kernel lacks CONFIG_KRETPROBES or access to function arguments\n");
	return -EOPNOTSUPP;
}

void pm_hooks_remove(struct pm_hook *hooks, size_t n)
{
}

int pm_hooks_print(const struct pm_hook *hooks, size_t n, char *buffer, size_t size)
{
	return 0;
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
