// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux kernel commit 3dc167ba5729 ("sched/cputime: Improve cputime_adjust()") (in v5.9); inline or
 * exported on some machines only.
 */
#include <linux/module.h>
#include <linux/math64.h>

u64 pm_probe(u64 a, u64 b, u64 c)
{
	return mul_u64_u64_div_u64(a, b, c);
}

MODULE_LICENSE("GPL");
