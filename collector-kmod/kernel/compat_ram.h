/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between kernels for ram/: struct page of any frame, owners of frames, totals. See
 * compat.h.
 */
#ifndef PM_COMPAT_RAM_H
#define PM_COMPAT_RAM_H

#include <linux/cgroup.h>
#include <linux/dcache.h>
#include <linux/log2.h>
#include <linux/memcontrol.h>
#include <linux/memory.h>
#include <linux/memory_hotplug.h>
#include <linux/mmzone.h>
#include <linux/poison.h>
#include <linux/uaccess.h>
#include <linux/vmstat.h>

#include "compat.h"

/* Largest order of a free block. MAX_ORDER was exclusive before v6.4, and is inclusive since. */
#define PM_MAX_ORDER ilog2(MAX_ORDER_NR_PAGES)

/* Struct pages that describe a large folio as a whole; as many as struct folio has. */
#define PM_HEAD_PAGES 4

/*
 * A struct page and the first ones of its folio, copied, because without a reference they may
 * change at any time. Functions that follow pointers from a tail to its head must not be called
 * with own. head must not be page-aligned, because page_folio() takes a page-aligned head for one
 * of hugetlb with shared struct pages (CONFIG_HUGETLB_PAGE_OPTIMIZE_VMEMMAP).
 */
struct pm_page_copy {
	struct page *own;	/* tail, or head; NULL: nothing was copied */
	const struct page *of;	/* the page that head is a copy of; NULL: none */
	struct page tail;
	struct page head[PM_HEAD_PAGES];
};

/*
 * Frames, aligned to their number, that are all online or all not, and whose struct pages all exist
 * or all not.
 */
#if defined(PAGES_PER_SUBSECTION) && !defined(CONFIG_HOLES_IN_ZONE)
#define PM_FRAMES_ONLINE PAGES_PER_SUBSECTION
#else
#define PM_FRAMES_ONLINE 1
#endif

static inline pm_folio *pm_copied_folio(struct pm_page_copy *copy)
{
	BUILD_BUG_ON(sizeof(pm_folio) > sizeof(copy->head));
	return (pm_folio *)copy->head;
}

/*
 * Whether a driver marked the page as reserved, which is the first of a block of the allocator.
 * Before that it was taken off a list of free pages; memory that was reserved at boot never was in
 * one.
 */
static inline bool pm_is_reserved_by_driver(const struct page *page)
{
	return pm_page_bits(page) & BIT(PG_reserved) && READ_ONCE(page->lru.prev) == LIST_POISON2;
}

/* Number of entries that map the folio as a whole. */
static inline int pm_entire_mapcount(struct pm_page_copy *copy, bool is_of_file)
{
#ifdef HAVE_DOUBLE_MAP
	/* Folios of files are counted in their parts only. */
	if (is_of_file)
		return 0;
	return atomic_read(compound_mapcount_ptr(copy->head)) + 1 - PageDoubleMap(copy->head);
#else
	return folio_entire_mapcount(pm_copied_folio(copy));
#endif
}

/* The count that /proc/kpagecount reports, of a copy. A page type in place of a count is 0. */
static inline int pm_copied_mapcount(struct pm_page_copy *copy, bool is_hugetlb)
{
#ifdef HAVE_PAGE_MAPCOUNT
	int count = max(atomic_read(&copy->own->_mapcount) + 1, 0);
	unsigned long mapping = (unsigned long)copy->head[0].mapping;

	if (pm_is_large(pm_copied_folio(copy)))
		count += pm_entire_mapcount(copy, !(mapping & PM_MAPPING_ANON) && !is_hugetlb);
	return count;
#else
	return pm_mapcount(copy->own, pm_copied_folio(copy));
#endif
}

/* Types of pages that not all kernels have. */
static inline bool pm_is_zsmalloc(struct page *head)
{
#ifdef HAVE_PAGE_ZSMALLOC
	return PageZsmalloc(head);
#else
	return false;
#endif
}

static inline bool pm_is_large_kmalloc(struct page *head)
{
#ifdef HAVE_PAGE_LARGE_KMALLOC
	return PageLargeKmalloc(head);
#else
	return false;
#endif
}

/* What pays for the page: a cgroup, or an object that refers to one; with flags. */
static inline unsigned long pm_charge_of(const struct page *head)
{
#if !defined(CONFIG_MEMCG)
	return 0;
#elif defined(HAVE_PAGE_MEM_CGROUP)
	return (unsigned long)head->mem_cgroup;
#else
	return head->memcg_data;
#endif
}

/* The place of the first page of the folio in its file. */
static inline unsigned long pm_index_of(struct pm_page_copy *copy)
{
	return pm_copied_folio(copy)->index;
}

/* Returns an alias of the inode, or NULL. Called with i_lock held. */
static inline struct dentry *pm_first_alias(struct inode *inode)
{
	/* i_dentry shares its place with i_rcu, which is used once I_FREEING is set. */
#ifdef HAVE_INODE_STATE_READ
	if (inode_state_read(inode) & I_FREEING)
#else
	if (inode->i_state & I_FREEING)
#endif
		return NULL;
#ifdef HAVE_DENTRY_D_U
	return hlist_entry_safe(inode->i_dentry.first, struct dentry, d_u.d_alias);
#else
	return hlist_entry_safe(inode->i_dentry.first, struct dentry, d_alias);
#endif
}

/* Free pages of the zone on a per-CPU list. */
static inline unsigned long pm_listed_pages(struct zone *zone, int cpu)
{
#ifdef HAVE_PER_CPU_PAGESET
	return per_cpu_ptr(zone->per_cpu_pageset, cpu)->count;
#else
	return per_cpu_ptr(zone->pageset, cpu)->pcp.count;
#endif
}

/* Pages of page tables, including KVM's and IOMMUs', as PageTables + SecPageTables. */
static inline unsigned long pm_table_pages(void)
{
#ifdef HAVE_NODE_PAGETABLE
	unsigned long pages = global_node_page_state(NR_PAGETABLE);
#else
	unsigned long pages = global_zone_page_state(NR_PAGETABLE);
#endif

#ifdef HAVE_SECONDARY_PAGETABLE
	pages += global_node_page_state(NR_SECONDARY_PAGETABLE);
#endif
	return pages;
}

/*
 * Pages of the swap cache. Until v5.11 modules cannot read their number; Cached then includes
 * them (formats/physmem-records.md).
 */
#if defined(HAVE_NODE_SWAPCACHE) && defined(CONFIG_SWAP)
#define PM_HAS_SWAPCACHE_TOTAL 1
#define pm_swapcache_pages() global_node_page_state(NR_SWAPCACHE)
#else
#define PM_HAS_SWAPCACHE_TOTAL 0
#define pm_swapcache_pages() 0ul
#endif

/*
 * Reads kernel memory that may not be mapped. Returns false if it is not.
 *
 * On a CPU with 5-level page tables and a kernel without, v5.10's own check of the address
 * lets some through that are not canonical, and the kernel warns of the fault. All addresses of the
 * kernel are above the start of its map of physical memory.
 */
static inline bool pm_read_safely(void *to, const void *from, size_t bytes)
{
#ifdef CONFIG_X86_64
	if ((unsigned long)from < PAGE_OFFSET)
		return false;
#endif
	return !copy_from_kernel_nofault(to, from, bytes);
}

#endif
