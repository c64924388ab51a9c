/* SPDX-License-Identifier: GPL-2.0-only */
/* Type information (BTF) of the running kernel. */
#ifndef PM_KERNEL_TYPES_H
#define PM_KERNEL_TYPES_H

#include "btf.h"

struct pm_kernel_types {
	struct pm_btf btf;
	void *file;			/* NULL: the kernel has no readable BTF */
};

/*
 * Reads /sys/kernel/btf/vmlinux (some MiB; may sleep). Leaves types->file NULL if it is not
 * available: no CONFIG_DEBUG_INFO_BTF, sysfs not mounted, or v5.10, which cannot read sysfs files
 * within the kernel. This is not an error.
 */
void pm_kernel_types_read(struct pm_kernel_types *types);
void pm_kernel_types_free(struct pm_kernel_types *types);

#endif
