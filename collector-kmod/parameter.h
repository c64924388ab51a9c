/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PM_PARAMETER_H
#define PM_PARAMETER_H

#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/string.h>

/* Whether the value of a parameter is the second word; -EINVAL, and said, when it is neither. */
static inline int pm_second_of(const char *name, const char *value, const char *first, const char *second)
{
	if (!strcmp(value, first))
		return 0;
	if (!strcmp(value, second))
		return 1;
	pr_err(KBUILD_MODNAME ": parameter %s: found \"%.32s\", expected %s or %s\n", name, value, first, second);
	return -EINVAL;
}

#endif
