/* SPDX-License-Identifier: MIT */
/* What a frame is used for, by its struct page: the class and owner of R: lines. */
#ifndef PM_RAM_PAGE_H
#define PM_RAM_PAGE_H

#include "emit/ram.h"
#include "image.h"

/* Types of pages (page_type in struct page), in this kernel's encoding. */
struct pm_page_types {
	/*
	 * Since v6.12 the type is the highest byte, one of enum pagetype. Before, page_type is a
	 * set of bits that are 0 if the page has the type, below bits that are all 1.
	 */
	bool is_byte;
	__u64 buddy, offline, table;	/* the byte, or the bit; PM_NONE: unknown */
	__u64 hugetlb, slab, zsmalloc, large_kmalloc;	/* bytes */
	__u32 ignored;	/* a bit that pages of another type may have, too */
};

struct pm_ram_facts {
	enum pm_ram_class class_;
	__u64 pages;		/* frames with these facts, from this one on: a free block or 1 */
	__u64 flags, count, place;	/* as in R: */
	__u64 mapping;		/* kernel address of the file's struct address_space; 0: none */
	__u64 cache;		/* kernel address of the slab cache; 0: none */
	bool is_unused;		/* no reference, type or mapping: free, or a part of a block */
	__u64 charge;		/* memcg_data: a cgroup, or an object that points to it; 0: none */
};

/* Returns false if the kernel does not tell its types. */
bool pm_page_types_find(struct pm_page_types *types, struct pm_image *image);

/*
 * Whether the frame's contents are the kernel's own: neither free nor of a process, a file or a
 * guest, neither broken nor offline. Reads only struct pages.
 */
bool pm_is_kernel_frame(struct pm_image *image, const struct pm_page_types *types, __u64 pfn);

/* Returns false if the frame has no struct page, or if it cannot be read. */
bool pm_find_ram_facts(struct pm_image *image, const struct pm_page_types *types, __u64 pfn,
		  struct pm_ram_facts *facts);

#endif
