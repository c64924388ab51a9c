// SPDX-License-Identifier: MIT
#include "area_walk.h"

#include "emit/flags.h"

__u64 pm_area_begin(struct pm_area_walk *walk)
{
	memset(&walk->counts, 0, sizeof(walk->counts));
	walk->excluded = 0;
	return pm_area_next(walk, walk->area.range.start);
}

__u64 pm_area_next(struct pm_area_walk *walk, __u64 va)
{
	return pm_pte_walk(walk->image, &walk->tables, &walk->area.range, va, &walk->found);
}

void pm_area_tally(struct pm_area_walk *walk)
{
	unsigned int page_shift = walk->image->tables.shift[0];
	size_t i;

	for (i = 0; i < walk->found.n_pages; i++) {
		walk->counts.single_use += walk->found.pages[i].count == 1;
		walk->counts.shared += walk->found.pages[i].count > 1;
	}
	for (i = 0; walk->image->memory.dump->holds && i < walk->found.n_pages; i++) {
		const struct pm_page *page = &walk->found.pages[i];

		if (!(page->flags & PM_PAGE_NOPAGE))
			walk->excluded +=
				!pm_holds(walk->image,
					  (page->pte & walk->image->tables.phys_mask) >> page_shift);
	}
	walk->counts.user += walk->found.n_pages;
	walk->counts.swapped += walk->found.n_swapped;
	if (walk->found.is_guarded)
		walk->area.record.flags |= PM_VMA_GUARDED;
}

void pm_area_emit(struct pm_area_walk *walk, struct pm_out *out)
{
	struct pm_vma *vma = &walk->area.record;

	vma->resident = walk->counts.user * walk->image->memory.dump->page_size;
	pm_emit_vma(out, vma);
	pm_area_emit_counts(walk, out);
}

/*
 * Executable and read-only counts follow from the VMA's permissions (formats/physmem-records.md,
 * P:).
 */
void pm_area_emit_counts(struct pm_area_walk *walk, struct pm_out *out)
{
	__u64 flags = walk->area.record.flags;

	walk->counts.executable = flags & PM_VMA_EXEC ? walk->counts.user : 0;
	walk->counts.read_only = flags & PM_VMA_WRITE ? 0 : walk->counts.user;
	pm_emit_page_counts(out, &walk->counts);
}

void pm_area_emit_stretch(const struct pm_area_walk *walk, struct pm_out *out)
{
	const struct pm_stretch *found = &walk->found;

	if (found->n_pages) {
		pm_emit_pages_begin(out);
		pm_emit_pages(out, found->pages, found->n_pages);
		pm_emit_pages_end(out);
	}
	if (found->n_swapped) {
		pm_emit_swapped_begin(out);
		pm_emit_swapped(out, found->swapped, found->n_swapped);
		pm_emit_swapped_end(out);
	}
}

void pm_area_add_to(const struct pm_area_walk *walk, struct pm_end *end)
{
	end->areas++;
	end->pages += walk->counts.user;
	end->swapped += walk->counts.swapped;
	end->excluded += walk->excluded;
}
