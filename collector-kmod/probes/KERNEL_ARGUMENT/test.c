// SPDX-License-Identifier: GPL-2.0-only
/*
 * 3c88ee194c28 ("x86: ptrace: Add function argument access API"), v4.20. Not available on some
 * architectures.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>

unsigned long pm_probe(struct pt_regs *regs)
{
	return regs_get_kernel_argument(regs, 0);
}

MODULE_LICENSE("GPL");
