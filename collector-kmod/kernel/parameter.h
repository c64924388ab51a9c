/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PM_PARAMETER_H
#define PM_PARAMETER_H

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/string.h>

/*
 * Returns 0 if the value is the first word and 1 if it is the second. Otherwise logs an error and
 * returns -EINVAL.
 */
static inline int pm_second_of(const char *name, const char *value, const char *first,
			       const char *second)
{
	if (!strcmp(value, first))
		return 0;
	if (!strcmp(value, second))
		return 1;
	pr_err(KBUILD_MODNAME ": parameter %s: found \"%.32s\", expected %s or %s\n", name, value,
	       first, second);
	return -EINVAL;
}

/* Returns 0 if the value is from lowest to highest. Otherwise logs an error and returns -EINVAL. */
static inline int pm_refuse_outside(const char *name, unsigned int found, unsigned int lowest,
				    unsigned int highest)
{
	if (found >= lowest && found <= highest)
		return 0;
	pr_err(KBUILD_MODNAME ": parameter %s: found %u, expected %u to %u\n", name, found, lowest,
	       highest);
	return -EINVAL;
}

/* Getter of a read-only counter. The parameter's argument is an unsigned long (*)(void). */
static inline int pm_get_counter(char *buffer, const struct kernel_param *parameter)
{
	unsigned long (*counter)(void) = parameter->arg;

	return scnprintf(buffer, PAGE_SIZE, "%lu\n", counter());
}

static inline int pm_refuse_to_set(const char *value, const struct kernel_param *parameter)
{
	pr_err(KBUILD_MODNAME ": parameter %s is read-only\n", parameter->name);
	return -EPERM;
}

static const struct kernel_param_ops pm_counter_operations __maybe_unused = {
	.set = pm_refuse_to_set,
	.get = pm_get_counter,
};

#endif
