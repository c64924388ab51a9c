// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux kernel commit 9b13df3fb64e ("timers: Rename del_timer_sync() to timer_delete_sync()") (in
 * v6.2).
 */
#include <linux/module.h>
#include <linux/timer.h>

int pm_probe(struct timer_list *timer)
{
	return timer_delete_sync(timer);
}

MODULE_LICENSE("GPL");
