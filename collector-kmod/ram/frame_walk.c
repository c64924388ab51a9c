// SPDX-License-Identifier: GPL-2.0-only
#include "frame_walk.h"

#include <linux/rcupdate.h>

#include "emit/flags.h"
#include "slab_owner.h"

/* Frames of a run, and of a free block, that take as long as one that is read on its own. */
#define ALIKE_PER_UNIT 4
#define FREE_PER_UNIT 64

/* Frames of the huge zero page. */
#define HUGE_PAGES (PMD_SIZE / PAGE_SIZE)

/* Frames that have no facts but their class. */
static void put_class(struct pm_frame_walk *walk, u64 end, enum pm_ram_class class_)
{
	struct pm_ram_run run = {
		.first_pfn = walk->next,
		.pages = end - walk->next,
		.class_ = class_,
	};

	pm_ram_put_run(&walk->writer, &run);
	walk->next = end;
}

/*
 * The end of the free block of which only the first frame is in a per-CPU list, if this frame
 * can belong to it; or 0. Such blocks have orders up to 3, and since v5.13 (44042b449872) also the
 * orders of huge pages.
 */
static u64 end_of_listed_block(const struct pm_frame_walk *walk)
{
	const unsigned int orders[] = { PMD_SHIFT - PAGE_SHIFT, 3, 2, 1 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(orders) && walk->listed != PM_NO_FRAME; i++) {
		u64 frames = 1ull << orders[i];

		if (!(walk->listed & (frames - 1)) && walk->next - walk->listed < frames)
			return walk->listed + frames;
	}
	return 0;
}

/* The other unused frames are parts of blocks in use that are no folios. */
static void find_listed_blocks(struct pm_frame_walk *walk, struct pm_ram_facts *facts)
{
	if (!facts->is_unused)
		walk->listed = PM_NO_FRAME;
	else if (facts->class_ == PM_RAM_FREE_PERCPU)
		walk->listed = walk->next;
	else if (end_of_listed_block(walk))
		facts->class_ = PM_RAM_FREE_PERCPU;
}

/*
 * The huge zero page cannot be recognised by its struct page. A process mapped it when its page
 * tables were read before, and it still looks as it did then.
 */
static void find_huge_zero(const struct pm_frame_walk *walk, struct pm_ram_facts *facts)
{
	if (walk->huge_zero == PM_NO_FRAME || walk->next - walk->huge_zero >= HUGE_PAGES ||
	    walk->copy.of != pfn_to_page(walk->huge_zero) || facts->count)
		return;
	facts->class_ = PM_RAM_ZERO;
	facts->flags |= PM_PAGE_THP | PM_PAGE_ZERO_PAGE;
}

/* Frames whose struct page does not show their use, but that the kernel maps. */
static void find_kernel_use(struct pm_frame_walk *walk, struct pm_ram_run *run)
{
	struct pm_kernel_use use;

	if (!pm_kernel_use_of(&walk->kernel_memory, run->first_pfn, &use) ||
	    (use.is_tail && !walk->facts.is_unused))
		return;
	run->class_ = use.class_;
	if (use.pid)
		run->owner = pm_task_owner(&walk->owners, use.pid, run->first_pfn);
}

static bool may_be_reserved_vmalloc(const struct pm_frame_walk *walk, u64 pfn)
{
	return pfn >= walk->kernel_memory.reserved_first && pfn < walk->kernel_memory.reserved_end;
}

/* The use of a frame that is marked as reserved: since boot, or by the driver that uses it. */
static enum pm_ram_class find_reserved_use(const struct pm_frame_walk *walk)
{
	struct pm_kernel_use use;

	if (may_be_reserved_vmalloc(walk, walk->next) &&
	    pm_kernel_use_of(&walk->kernel_memory, walk->next, &use) && use.is_reserved)
		return use.class_;
	return pm_reserved_class(&walk->map, walk->next);
}

/*
 * The end of the reserved frames with the class of this one. If drivers reserved them, the class
 * may change at each frame.
 */
static u64 end_of_reserved(const struct pm_frame_walk *walk)
{
	u64 end = pm_reserved_end(&walk->map, walk->next);

	if (may_be_reserved_vmalloc(walk, walk->next))
		return 0;
	if (walk->next < walk->kernel_memory.reserved_first)
		end = min(end, walk->kernel_memory.reserved_first);
	return end;
}

/* Asks once for the frames that are online together. */
static struct page *online_page(struct pm_frame_walk *walk)
{
	struct page *page;

	if (walk->next < walk->online_end)
		return pfn_to_page(walk->next);
	page = pfn_to_online_page(walk->next);
	if (page)
		walk->online_end = round_up(walk->next + 1, PM_FRAMES_ONLINE);
	return page;
}

/*
 * The rest of a free block, up to a broken page, or one broken page. Linux 5.10 leaves a page that
 * becomes broken in its free block, later kernels only if they cannot take it out.
 */
static void put_free_part(struct pm_frame_walk *walk, struct page *page)
{
	u64 most = min(walk->free_end, max(walk->online_end, walk->next + 1)) - walk->next;
	struct pm_ram_run run = {
		.first_pfn = walk->next,
		.pages = pm_frames_not_broken(page, most),
		.class_ = PM_RAM_FREE,
		.flags = walk->facts.flags,
		.place = walk->facts.place,
	};

	if (!run.pages) {
		run.pages = 1;
		run.class_ = PM_RAM_POISON;
		run.flags = PM_PAGE_HWPOISON | PM_PAGE_BUDDY;
		run.place = 0;
	}
	pm_ram_put_run(&walk->writer, &run);
	walk->next += run.pages;
}

/* The end of the frames that have the class of this one, if their struct pages say the same. */
static u64 end_of_class(const struct pm_frame_walk *walk)
{
	if (walk->facts.class_ == PM_RAM_RESERVED)
		return end_of_reserved(walk);
	/* Each may have another use. */
	return walk->facts.class_ == PM_RAM_UNMARKED ? 0 : PM_NO_FRAME;
}

static unsigned long unused_alike(struct pm_frame_walk *walk, struct page *page, u64 most)
{
	u64 end = end_of_listed_block(walk);
	bool are_listed = false;
	unsigned long n = pm_unused_alike(page, &walk->copy, most,
					  end ? end - walk->next - 1 : 0, &are_listed);

	if (n && are_listed)
		walk->listed = walk->next + n;
	return n;
}

/* Adds frames that differ from the first one of the run only in their place. */
static void add_alike(struct pm_frame_walk *walk, struct page *page, u64 end,
		      struct pm_ram_run *run)
{
	end = min3(end, walk->online_end, end_of_class(walk));
	if (walk->next + 1 >= end)
		return;
	if (walk->facts.is_unused)
		run->pages += unused_alike(walk, page, end - walk->next - 1);
	else
		run->pages += pm_frames_alike(page, &walk->copy, &walk->facts,
					      end - walk->next - 1);
}

static void put_used(struct pm_frame_walk *walk, struct page *page, u64 end)
{
	struct pm_ram_facts *facts = &walk->facts;
	struct pm_ram_run run = {
		.first_pfn = walk->next,
		.pages = 1,
		.class_ = facts->class_,
		.flags = facts->flags,
		.count = facts->count,
		.place = facts->place,
	};

	if (facts->class_ == PM_RAM_UNMARKED)
		find_kernel_use(walk, &run);
	else if (facts->class_ == PM_RAM_RESERVED)
		run.class_ = find_reserved_use(walk);
	if (facts->mapping) {
		run.owner = pm_file_owner(&walk->owners, facts->mapping, &run.class_);
		run.place = run.owner ? facts->place : 0;
	} else if (facts->class_ == PM_RAM_SLAB) {
		run.owner = pm_slab_owner(&walk->owners, page, &walk->copy);
	}
	run.cgroup = pm_cgroup_owner(&walk->owners, facts->charge);
	add_alike(walk, page, end, &run);
	pm_ram_put_run(&walk->writer, &run);
	walk->next += run.pages;
}

static void put_frame(struct pm_frame_walk *walk, struct page *page, u64 end)
{
	struct pm_ram_facts *facts = &walk->facts;

	pm_frame_facts(page, &walk->copy, facts);
	find_listed_blocks(walk, facts);
	if (facts->class_ == PM_RAM_UNMARKED)
		find_huge_zero(walk, facts);
	if (facts->class_ != PM_RAM_FREE) {
		put_used(walk, page, end);
		return;
	}
	walk->free_end = min(end, walk->next + facts->pages);
	put_free_part(walk, page);
}

/* Some frames that are alike, some of a free block, or what lies before the next span. */
static void walk_on(struct pm_frame_walk *walk)
{
	const struct pm_ram_span *span = &walk->map.spans[walk->span];
	struct page *page;

	if (walk->next < span->begin) {
		put_class(walk, span->begin, PM_RAM_HOLE);
		return;
	}
	if (walk->next == span->begin)
		walk->listed = PM_NO_FRAME;
	page = online_page(walk);
	if (!page)
		put_class(walk, min(span->end, round_up(walk->next + 1, PM_FRAMES_ONLINE)),
			  PM_RAM_OFFLINE);
	else if (walk->next < walk->free_end)
		put_free_part(walk, page);
	else
		put_frame(walk, page, span->end);
	walk->span += walk->next == span->end;
}

/* What was done from this frame on. See PM_RAM_STEP. */
static unsigned int units_from(const struct pm_frame_walk *walk, u64 begin)
{
	u64 frames = walk->next - begin;

	if (walk->next <= walk->free_end)
		return 1 + frames / FREE_PER_UNIT;
	/* A hole takes no longer than a frame. */
	return 1 + min_t(u64, frames / ALIKE_PER_UNIT, PM_RAM_STEP);
}

/* A new owner ends the step, so that there is room for the text of the next one. */
bool pm_frame_walk_step(struct pm_frame_walk *walk)
{
	u64 last_id = walk->owners.last_id, begin;
	unsigned int units = 0;

	rcu_read_lock();
	pm_owners_renew(&walk->owners);
	pm_copy_renew(&walk->copy);
	walk->online_end = 0;
	while (units < PM_RAM_STEP && walk->span < walk->map.n && walk->owners.last_id == last_id) {
		begin = walk->next;
		walk_on(walk);
		units += units_from(walk, begin);
	}
	rcu_read_unlock();
	return walk->span < walk->map.n;
}
