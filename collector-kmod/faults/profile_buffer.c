// SPDX-License-Identifier: GPL-2.0-only
#include "profile_buffer.h"

#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

static struct pm_profile_ring ring;

static struct page *page_at(unsigned long page)
{
	return vmalloc_to_page((void *)ring.longs + page * PAGE_SIZE);
}

/*
 * Programs map the pages at other addresses. vmalloc_user() aligns the buffer to SHMLBA and the
 * kernel aligns shared mappings to their place in the file, so that data caches which alias have
 * one line for both. Virtually tagged caches (VIVT) have two: the kernel's is written back, but a
 * program may read an old one of its own. Does nothing unless the data cache aliases.
 */
static void write_back(unsigned long first, unsigned long longs)
{
	flush_kernel_vmap_range(ring.longs + first, longs * sizeof(*ring.longs));
}

int pm_profile_buffer_init(void)
{
	unsigned long page;

	ring.longs = vmalloc_user(PM_PROFILE_PAGES * PAGE_SIZE);
	if (!ring.longs)
		return -ENOMEM;
	ring.count = PM_PROFILE_PAGES * PAGE_SIZE / sizeof(*ring.longs);
	/* Marks the pages as not swappable and not movable. Their mappings are not counted. */
	for (page = 0; page < PM_PROFILE_PAGES; page++)
		SetPageReserved(page_at(page));
	pm_profile_buffer_clear();
	return 0;
}

void pm_profile_buffer_exit(void)
{
	unsigned long page;

	for (page = 0; page < PM_PROFILE_PAGES; page++)
		ClearPageReserved(page_at(page));
	vfree(ring.longs);
	ring.longs = NULL;
}

void pm_profile_buffer_clear(void)
{
	pm_profile_clear(&ring);
	write_back(0, ring.count);
}

void pm_profile_buffer_put(const struct pm_profile_sample *sample)
{
	unsigned long first = ring.next;

	pm_profile_put(&ring, sample);
	write_back(first, PM_PROFILE_SAMPLE_LONGS);
}

unsigned long pm_profile_buffer_pfn(unsigned long page)
{
	return vmalloc_to_pfn((void *)ring.longs + page * PAGE_SIZE);
}
