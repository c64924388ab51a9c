// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux kernel commit f0c0c115fb81 ("mm: memcontrol: account pagetables per node") (in v5.11). As a
 * counter of nodes it comes after NR_KERNEL_STACK_KB; as one of zones it is one of the first.
 */
#include <linux/build_bug.h>
#include <linux/mmzone.h>
#include <linux/module.h>

int pm_probe(void)
{
	BUILD_BUG_ON((int)NR_PAGETABLE < (int)NR_KERNEL_STACK_KB);
	return 0;
}

MODULE_LICENSE("GPL");
