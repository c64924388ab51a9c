/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a pointer that was found somewhere is one to a struct page. After compat.h. */
#ifndef PM_PAGE_CHECK_H
#define PM_PAGE_CHECK_H

/*
 * Whether page is one of n struct pages in an array. The first one, at `start`, is the struct page
 * of frame `first`. The distance is computed with integers: with pointers, the compiler assumes an
 * exact multiple.
 */
static inline bool pm_is_page_of(const struct page *page, const struct page *start,
				 unsigned long first, unsigned long n)
{
	unsigned long bytes = (unsigned long)page - (unsigned long)start;

	return bytes % sizeof(*page) == 0 && bytes / sizeof(*page) < n &&
	       pfn_valid(first + bytes / sizeof(*page));
}

/* True if page points to the beginning of a struct page of existing memory. */
static inline bool pm_is_page(const struct page *page)
{
#if defined(CONFIG_SPARSEMEM_VMEMMAP)
	return pm_is_page_of(page, vmemmap, 0, ULONG_MAX);
#elif defined(CONFIG_FLATMEM)
	return pm_is_page_of(page, mem_map, ARCH_PFN_OFFSET, ULONG_MAX);
#elif defined(CONFIG_SPARSEMEM)
	unsigned long section, first;

	/* Each section has an array. The page itself has the section's number: it must be mapped. */
	if ((unsigned long)page % sizeof(unsigned long) || !virt_addr_valid(page))
		return false;
	section = pm_page_bits(page) >> SECTIONS_PGSHIFT & SECTIONS_MASK;
	first = section_nr_to_pfn(section);
	return valid_section(__nr_to_section(section)) &&
	       pm_is_page_of(page, pfn_to_page(first), first, PAGES_PER_SECTION);
#else	/* DISCONTIGMEM, until v5.13 */
	return false;
#endif
}

#endif
