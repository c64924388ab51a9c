// SPDX-License-Identifier: MIT
#include "kernel_pools.h"

#include <errno.h>

#include "seen.h"

/* Blocks are not larger than the allocator's. */
#define MAX_BLOCK_FRAMES (1u << 10)
#define MAX_CHUNK_FRAMES (1u << 20)
#define MAX_ELEMENTS 1024u

struct pools {
	struct pm_image *image;
	struct pm_marks *marks;
	struct pm_mark mark;
	__u64 left;	/* frames; damaged lists may name any number */
	bool is_full;
};

static void mark_block(struct pools *pools, __u64 pfn, __u64 frames)
{
	__u64 i;

	if (frames > pools->left) {
		pools->image->notes.corrupt++;
		return;
	}
	pools->left -= frames;
	for (i = 0; i < frames && !pools->is_full; i++) {
		pools->mark.pfn = pfn + i;
		pools->is_full = !pm_marks_add(pools->marks, &pools->mark);
	}
}

static __u64 pointer_at(const struct pools *pools, __u64 at)
{
	return at ? pm_get(&pools->image->memory, at, (struct pm_field){ 0, 8 }) : 0;
}

/*
 * Until v5.11 (commit db42523b4f3e) the number of records is known and not the order of the block.
 */
static __u64 frames_of_records(const struct pools *pools, __u64 page)
{
	struct pm_image *image = pools->image;
	const struct pm_layout *layout = image->layout;
	__u64 frames = 1, bytes;

	if (layout->ftrace_order.offset >= 0)
		return 1ull << (PM_GET(image, page, ftrace_order) & 63);
	bytes = (PM_GET(image, page, ftrace_size) & 0xffffffffu) * layout->ftrace_struct;
	while (frames < MAX_BLOCK_FRAMES && frames << image->tables.shift[0] < bytes)
		frames <<= 1;
	return frames;
}

static void mark_ftrace(struct pools *pools)
{
	struct pm_image *image = pools->image;
	__u64 page = pointer_at(pools, image->layout->at.ftrace_pages);
	struct pm_seen seen = { .used = 0 };

	pools->mark.of = (__u64)(unsigned long)"ftrace_pages";
	while (page && !pools->is_full && !pm_seen_has(&seen, page) && pm_seen_add(&seen, page, 0)) {
		__u64 frames = frames_of_records(pools, page), physical;

		if (frames <= MAX_BLOCK_FRAMES &&
		    pm_translate(image, PM_GET(image, page, ftrace_records), &physical) == PM_FOUND)
			mark_block(pools, physical >> image->tables.shift[0], frames);
		page = PM_GET(image, page, ftrace_next);
	}
	pm_seen_free(&seen);
}

/* kernel/dma/pool.c. Since v7.3 the variable is a struct with the pointer. */
static void mark_dma_pool(struct pools *pools, __u64 variable, const char *name)
{
	struct pm_image *image = pools->image;
	struct pm_field member = image->layout->dma_pool_pool;
	__u64 pool = pointer_at(pools, variable && member.offset > 0 ?
					       variable + (__u64)member.offset : variable);
	__u64 head = pool ? pool + (__u64)image->layout->pool_chunks.offset : 0;
	__u64 chunk = pointer_at(pools, head);
	struct pm_seen seen = { .used = 0 };

	pools->mark.of = (__u64)(unsigned long)name;
	while (chunk && chunk != head && !pools->is_full && !pm_seen_has(&seen, chunk) &&
	       pm_seen_add(&seen, chunk, 0)) {
		__u64 bytes = PM_GET(image, chunk, chunk_end) + 1 - PM_GET(image, chunk, chunk_start);
		__u64 frames = bytes >> image->tables.shift[0];

		if (frames <= MAX_CHUNK_FRAMES)
			mark_block(pools, PM_GET(image, chunk, chunk_physical) >>
						  image->tables.shift[0], frames);
		chunk = PM_GET(image, chunk, chunk_next);
	}
	pm_seen_free(&seen);
}

/* The frame with this struct page, or PM_NONE. Struct pages are one array, or nearly. */
static __u64 frame_of(struct pm_image *image, __u64 page)
{
	size_t size = image->layout->page_struct;
	__u64 known = image->zero_pfn == PM_NONE ? 0 : pm_page_of(image, image->zero_pfn);
	__u64 pfn = known && size ? image->zero_pfn + (__u64)((long long)(page - known) /
							      (long long)size) : PM_NONE;

	return pfn != PM_NONE && pm_page_of(image, pfn) == page ? pfn : PM_NONE;
}

/* A mempool of pages: pool_data is their order. */
static void mark_mempool(struct pools *pools, __u64 pool, const char *name)
{
	struct pm_image *image = pools->image;
	__u64 n = pool ? PM_GET(image, pool, mempool_n) & 0xffffffffu : 0, i;
	__u64 elements = pool ? PM_GET(image, pool, mempool_elements) : 0;
	__u64 order = pool ? PM_GET(image, pool, mempool_data) : 0;

	if (!elements || order > 10 || n > MAX_ELEMENTS ||
	    PM_GET(image, pool, mempool_alloc) != image->layout->at.alloc_pages)
		return;
	pools->mark.of = (__u64)(unsigned long)name;
	for (i = 0; i < n; i++) {
		__u64 pfn = frame_of(image, pointer_at(pools, elements + 8 * i));

		if (pfn != PM_NONE)
			mark_block(pools, pfn, 1ull << order);
	}
}

/*
 * The arrays of struct page_ext: one per section, in one piece. An array in several pieces came
 * from vmalloc, whose areas have their own marks.
 */
static void mark_records(struct pools *pools, struct pm_page_stacks *stacks)
{
	struct pm_image *image = pools->image;
	unsigned int page_shift = image->tables.shift[0];
	__u64 bytes = stacks->record_bytes << stacks->sections.shift;
	__u64 frames = bytes >> page_shift, pfn, end;

	pools->mark.of = (__u64)(unsigned long)"page_ext";
	for (pfn = 0; pfn < image->max_pfn && frames <= pools->left && !pools->is_full; pfn = end) {
		__u64 at = pm_page_record_of(stacks, pfn), first, last;

		end = pm_section_end(&stacks->sections, pfn);
		if (!at || pm_translate(image, at, &first) != PM_FOUND ||
		    pm_translate(image, at + bytes - 1, &last) != PM_FOUND ||
		    last - first != bytes - 1)
			continue;
		mark_block(pools, first >> page_shift, frames);
	}
}

/* Pools of stacks, and the next one, if it exists already. */
static void mark_stacks(struct pools *pools, const struct pm_page_stacks *stacks)
{
	struct pm_image *image = pools->image;
	__u64 i, physical;

	pools->mark.of = (__u64)(unsigned long)"stack_pools";
	for (i = 0; i <= stacks->n_pools && i < PM_MAX_STACK_POOLS && !pools->is_full; i++) {
		__u64 pool = pointer_at(pools, stacks->pools + 8 * i);

		if (pool && pm_translate(image, pool, &physical) == PM_FOUND)
			mark_block(pools, physical >> image->tables.shift[0],
				   1u << PM_STACK_POOL_ORDER);
	}
}

int pm_mark_page_stacks(struct pm_page_stacks *stacks, struct pm_marks *marks)
{
	struct pools pools = {
		.image = stacks->image,
		.marks = marks,
		.left = stacks->image->ram_pages,
		.mark = { .class_ = PM_RAM_KERNEL, .owner = PM_MARK_NAME },
	};

	mark_records(&pools, stacks);
	mark_stacks(&pools, stacks);
	return pools.is_full ? -ENOMEM : 0;
}

int pm_mark_pools(struct pm_image *image, struct pm_marks *marks)
{
	const struct pm_layout *layout = image->layout;
	struct pools pools = {
		.image = image,
		.marks = marks,
		.left = image->ram_pages,
		.mark = { .class_ = PM_RAM_KERNEL, .owner = PM_MARK_NAME },
	};

	if (layout->ftrace_next.offset >= 0)
		mark_ftrace(&pools);
	if (layout->pool_chunks.offset >= 0) {
		mark_dma_pool(&pools, layout->at.dma_pool, "atomic_pool_dma");
		mark_dma_pool(&pools, layout->at.dma32_pool, "atomic_pool_dma32");
		mark_dma_pool(&pools, layout->at.normal_pool, "atomic_pool_kernel");
	}
	if (layout->mempool_elements.offset >= 0)
		mark_mempool(&pools, layout->at.integrity_pool, "integrity_buf_pool");
	return pools.is_full ? -ENOMEM : 0;
}
