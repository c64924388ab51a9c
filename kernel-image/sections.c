// SPDX-License-Identifier: MIT
#include "sections.h"

#include "vmcoreinfo.h"

/* include/linux/mmzone.h: low bits of section_mem_map. */
#define SECTION_MARKED_PRESENT 1u
#define SECTION_ONLINE_BIT 2u	/* in v5.10, where it is no enumerator */

bool pm_sections_open(struct pm_sections *sections, struct pm_image *image)
{
	const struct pm_layout *layout = image->layout;
	unsigned int page_shift = image->tables.shift[0];
	__u64 page_size = image->memory.dump->page_size, bits, max_bits;

	*sections = (struct pm_sections){ .image = image, .number = PM_NONE };
	if (!layout->at.sections || layout->section_map.offset < 0 || !layout->section_struct ||
	    page_size % layout->section_struct)
		return false;
	bits = pm_vmcoreinfo_number(image, "SECTION_SIZE_BITS");
	max_bits = pm_vmcoreinfo_number(image, "MAX_PHYSMEM_BITS");
	/* arm64 with 4 KiB pages has the smallest sections: 2^27 bytes. */
	if (bits == PM_NONE || max_bits == PM_NONE || bits <= page_shift || bits >= max_bits ||
	    max_bits > 56)
		return false;
	/*
	 * SPARSEMEM_EXTREME: a pointer to pointers. Otherwise it is an array of sections, which begins
	 * with low bits of section_mem_map.
	 */
	sections->roots = pm_get(&image->memory, layout->at.sections, (struct pm_field){ 0, 8 });
	sections->per_root = page_size / layout->section_struct;	/* a power of 2 */
	sections->shift = (unsigned int)bits - page_shift;
	sections->max_pfn = 1ull << (max_bits - page_shift);
	return sections->roots && !(sections->roots & 7);
}

__u64 pm_section_of(struct pm_sections *sections, __u64 pfn)
{
	__u64 number = pfn >> sections->shift, root;

	if (number == sections->number)
		return sections->at;
	sections->number = number;
	sections->at = 0;
	sections->end = ~(__u64)0;
	if (pfn >= sections->max_pfn)
		return 0;
	root = pm_get(&sections->image->memory,
		      sections->roots + number / sections->per_root * sizeof(root),
		      (struct pm_field){ 0, sizeof(root) });
	if (root)
		sections->at = root + number % sections->per_root *
					      sections->image->layout->section_struct;
	else
		number |= sections->per_root - 1;
	sections->end = (number + 1) << sections->shift;
	return sections->at;
}

__u64 pm_section_end(struct pm_sections *sections, __u64 pfn)
{
	pm_section_of(sections, pfn);
	return sections->end;
}

bool pm_section_is_offline(struct pm_sections *sections, __u64 pfn)
{
	struct pm_image *image = sections->image;
	__u64 bit = image->layout->section_online, section = pm_section_of(sections, pfn), map;

	map = section ? PM_GET(image, section, section_map) : 0;
	if (bit == PM_NONE || bit > 5)
		bit = SECTION_ONLINE_BIT;
	return map & SECTION_MARKED_PRESENT && !(map & 1ull << bit);
}
