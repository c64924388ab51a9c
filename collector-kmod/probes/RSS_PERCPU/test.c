// SPDX-License-Identifier: GPL-2.0-only
/* Linux kernel commit f1a7941243c1 ("mm: convert mm's rss stats into percpu_counter") (in v6.2). */
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/percpu_counter.h>

s64 pm_probe(struct mm_struct *mm)
{
	return percpu_counter_read(&mm->rss_stat[MM_FILEPAGES]);
}

MODULE_LICENSE("GPL");
