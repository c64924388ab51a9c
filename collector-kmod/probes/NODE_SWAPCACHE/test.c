// SPDX-License-Identifier: GPL-2.0-only
/* Linux kernel commit b6038942480e ("mm: memcg: add swapcache stat for memcg v2") (in v5.12). */
#include <linux/mmzone.h>
#include <linux/module.h>

#ifdef CONFIG_SWAP
const enum node_stat_item pm_probe = NR_SWAPCACHE;
#endif

MODULE_LICENSE("GPL");
