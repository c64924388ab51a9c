// SPDX-License-Identifier: GPL-2.0-only
/* Linux kernel commit ebc97a52b5d6 ("mm: add NR_SECONDARY_PAGETABLE to count ...") (in v6.1). */
#include <linux/mmzone.h>
#include <linux/module.h>

const enum node_stat_item pm_probe = NR_SECONDARY_PAGETABLE;

MODULE_LICENSE("GPL");
