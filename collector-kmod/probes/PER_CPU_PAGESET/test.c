// SPDX-License-Identifier: GPL-2.0-only
/*
 * Linux kernel commit 28f836b6777b ("mm/page_alloc: split per cpu page lists and zone stats") (in
 * v5.14).
 */
#include <linux/mmzone.h>
#include <linux/module.h>

int pm_probe(struct zone *zone, int cpu)
{
	return per_cpu_ptr(zone->per_cpu_pageset, cpu)->count;
}

MODULE_LICENSE("GPL");
