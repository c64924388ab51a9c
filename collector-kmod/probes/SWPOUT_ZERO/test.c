// SPDX-License-Identifier: GPL-2.0-only
/*
 * e7ac4daeed91 ("mm: count zeromap read and set for swapout and swapin"), v6.12: the kernel has a
 * map of zero-filled pages in swap.
 */
#include <linux/module.h>
#include <linux/vm_event_item.h>

const enum vm_event_item pm_probe = SWPOUT_ZERO;

MODULE_LICENSE("GPL");
