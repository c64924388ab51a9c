/* SPDX-License-Identifier: MIT */
/* Sections of physical memory (SPARSEMEM): 128 MiB each on x86 and arm64. */
#ifndef PM_SECTIONS_H
#define PM_SECTIONS_H

#include "image.h"

struct pm_sections {
	struct pm_image *image;
	__u64 roots;		/* kernel address of the array of pointers to arrays of sections */
	__u64 per_root;
	__u64 max_pfn;		/* no frame of this kernel has this number, or a higher one */
	unsigned int shift;	/* of a section, in frames */
	__u64 number, at;	/* the last section found, and its address */
	__u64 end;		/* the first frame after it, or after a part without sections */
};

/* Returns false if this kernel has no such sections, or if they are not described. */
bool pm_sections_open(struct pm_sections *sections, struct pm_image *image);
/* Kernel address of the struct mem_section that has the frame. 0: none, or it cannot be read. */
__u64 pm_section_of(struct pm_sections *sections, __u64 pfn);
/* Whether the kernel knows the section, and uses none of its memory (memory hotplug). */
bool pm_section_is_offline(struct pm_sections *sections, __u64 pfn);
/* The frames from this one to the returned one are in the same section, or in none. */
__u64 pm_section_end(struct pm_sections *sections, __u64 pfn);

#endif
