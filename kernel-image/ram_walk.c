// SPDX-License-Identifier: MIT
#include "ram_walk.h"

#include <errno.h>
#include <stdlib.h>

#include "emit/flags.h"
#include "kernel_areas.h"
#include "kernel_pools.h"
#include "page.h"

#define FRAMES_BETWEEN_STOPS 4096u
/* RAM has struct pages. So many frames without one are none; the map is damaged. */
#define MAX_FRAMES_WITHOUT_PAGE (1u << 18)

struct pm_ram_walk {
	struct pm_image *image;
	const struct pm_page_types *types;
	struct pm_ram_writer writer;
	struct pm_ram_owners owners;
	struct pm_marks marks;
	struct pm_page_stacks stacks;
	__u64 owners_before;	/* written by the caller */
	bool has_stacks;	/* the kernel records who allocated a frame */
	bool has_poison;	/* some page is broken */
	__u64 fetched;	/* the struct pages below this frame have been read together */
	__u64 listed;	/* last frame in a per-CPU list, if only unused ones follow; or PM_NONE */
	int (*stop)(void *self);
	void *self;
};

static void put_class(struct pm_ram_walk *walk, __u64 begin, __u64 end, enum pm_ram_class class_)
{
	struct pm_ram_run run = { .first_pfn = begin, .pages = end - begin, .class_ = class_ };

	if (begin < end)
		pm_ram_put_run(&walk->writer, &run);
}

static void set_mark(struct pm_ram_walk *walk, bool is_unused, struct pm_ram_run *run)
{
	const struct pm_mark *mark = pm_marks_find(&walk->marks, run->first_pfn);

	if (!mark || (mark->is_tail && !is_unused))
		return;
	/* A driver marks its buffer. Other areas have memory that was reserved at boot, too. */
	if (run->class_ == PM_RAM_RESERVED && mark->class_ != PM_RAM_VMALLOC)
		return;
	run->class_ = (enum pm_ram_class)mark->class_;
	run->owner = pm_owner_of_mark(&walk->owners, mark);
}

/* Only for frames without another owner. */
static void set_stack(struct pm_ram_walk *walk, struct pm_ram_run *run)
{
	__u32 handle = pm_page_stack_of(&walk->stacks, run->first_pfn);
	enum pm_ram_class class_;

	run->owner = handle ? pm_owner_of_stack(&walk->owners, &walk->stacks, handle, &class_) : 0;
	if (run->owner && run->class_ == PM_RAM_UNMARKED)
		run->class_ = class_;
}

static void put_frame(struct pm_ram_walk *walk, const struct pm_frame_span *span, __u64 pfn,
		      const struct pm_ram_facts *facts)
{
	struct pm_ram_run run = {
		.first_pfn = pfn,
		.pages = facts->pages,
		.class_ = facts->class_,
		.flags = facts->flags,
		.count = facts->count,
		.place = facts->place,
	};

	if (run.class_ == PM_RAM_RESERVED)
		run.class_ = span->reserved;
	if (run.class_ == PM_RAM_UNMARKED || run.class_ == PM_RAM_RESERVED)
		set_mark(walk, facts->is_unused, &run);
	if (walk->has_stacks &&
	    (run.class_ == PM_RAM_UNMARKED || run.class_ == PM_RAM_LARGE_KMALLOC))
		set_stack(walk, &run);
	if (facts->mapping) {
		run.owner = pm_owner_of_file(&walk->owners, facts->mapping, &run.class_);
		run.place = run.owner ? facts->place : 0;
	}
	if (facts->cache)
		run.owner = pm_owner_of_cache(&walk->owners, facts->cache);
	run.cgroup = pm_owner_of_charge(&walk->owners, facts->charge);
	pm_ram_put_run(&walk->writer, &run);
}

/*
 * Whether the frame belongs to a free block of which only the first frame is in a per-CPU list.
 * Such blocks have orders up to 3, and since v5.13 (44042b449872) also the orders of huge pages.
 */
static bool is_in_listed_block(const struct pm_ram_walk *walk, __u64 pfn)
{
	static const unsigned char orders[] = { 1, 2, 3, 9 };
	size_t i;

	for (i = 0; i < sizeof(orders) && walk->listed != PM_NONE; i++) {
		__u64 frames = 1ull << orders[i];

		if (!(walk->listed & (frames - 1)) && pfn - walk->listed < frames)
			return true;
	}
	return false;
}

/* The other unused frames are parts of blocks in use that are no folios. */
static void find_listed_blocks(struct pm_ram_walk *walk, __u64 pfn, struct pm_ram_facts *facts)
{
	if (!facts->is_unused)
		walk->listed = PM_NONE;
	else if (facts->class_ == PM_RAM_FREE_PERCPU)
		walk->listed = pfn;
	else if (is_in_listed_block(walk, pfn))
		facts->class_ = PM_RAM_FREE_PERCPU;
}

static bool is_poisoned(struct pm_ram_walk *walk, __u64 pfn)
{
	__u64 page = pm_page_of(walk->image, pfn);

	return page && pm_has_bit(PM_GET(walk->image, page, page_flags),
				  walk->image->layout->pg_hwpoison);
}

/* Linux 5.10 leaves a broken page in its free block. */
static void put_free_block(struct pm_ram_walk *walk, const struct pm_frame_span *span, __u64 pfn,
			   struct pm_ram_facts facts)
{
	__u64 end = pfn + facts.pages;

	facts.pages = 1;
	for (; pfn < end; pfn++) {
		struct pm_ram_facts frame = facts;

		if (is_poisoned(walk, pfn))
			frame = (struct pm_ram_facts){
				.class_ = PM_RAM_POISON,
				.pages = 1,
				.flags = PM_PAGE_HWPOISON | PM_PAGE_BUDDY,
			};
		put_frame(walk, span, pfn, &frame);
	}
}

/* The struct address_space of a frame that may be in the page cache; 0: it is not. */
static __u64 mapping_of(struct pm_image *image, __u64 page)
{
	const struct pm_layout *layout = image->layout;
	const unsigned char *bytes =
		pm_window_find(&image->memory.window, page, layout->page_struct);
	__u64 mapping = bytes ? pm_number_in(image, bytes, layout->page_mapping) : 0;

	return mapping && mapping % sizeof(mapping) == 0 &&
			       pm_has_bit(pm_number_in(image, bytes, layout->page_flags),
					  layout->pg_lru) ?
		       mapping : 0;
}

/* Reads the struct pages of the following frames, and their owners. */
static void fetch(struct pm_ram_walk *walk, __u64 pfn)
{
	struct pm_image *image = walk->image;
	__u64 page = pm_page_of(image, pfn);
	size_t size = image->layout->page_struct;
	__u64 mappings[PM_FRAMES_TOGETHER], missing = image->memory.missing;
	size_t frames = PM_FRAMES_TOGETHER - pfn % PM_FRAMES_TOGETHER, n = 0, some, i;

	walk->fetched = pfn + frames;
	if (!image->memory.dump->read_list || !page)
		return;
	pm_window_clear(&image->memory.window);
	for (i = 0; i < frames; i += some) {
		some = PM_ITEM_BYTES / size;
		some = some < frames - i ? some : frames - i;
		pm_window_add(&image->memory.window, page + i * size, some * size);
	}
	pm_window_read(&image->memory.window, image->memory.dump);
	for (i = 0; i < frames; i++) {
		__u64 mapping = mapping_of(image, page + i * size);

		if (mapping && (!n || mappings[n - 1] != mapping))
			mappings[n++] = mapping;
	}
	pm_prefetch_owners(&walk->owners, mappings, n);
	image->memory.missing = missing;
}

static int walk_span(struct pm_ram_walk *walk, const struct pm_frame_span *span)
{
	struct pm_ram_facts facts;
	__u64 pfn, done = FRAMES_BETWEEN_STOPS, lacking = 0;
	int error;

	walk->listed = PM_NONE;
	walk->fetched = span->begin;
	for (pfn = span->begin; pfn < span->end; pfn += facts.pages) {
		if (lacking == MAX_FRAMES_WITHOUT_PAGE) {
			walk->image->notes.corrupt++;
			put_class(walk, pfn, span->end, PM_RAM_UNKNOWN);
			break;
		}
		/* What has been read together is dropped. */
		if (pfn >= walk->fetched && done >= FRAMES_BETWEEN_STOPS) {
			error = walk->stop(walk->self);
			if (error < 0)
				return error;
			done = 0;
		}
		done++;
		lacking++;
		if (pm_find_ram_facts(walk->image, walk->types, pfn, &facts))
			lacking = 0;
		else
			facts.class_ = PM_RAM_UNKNOWN;
		if (pfn >= walk->fetched && facts.class_ != PM_RAM_FREE)
			fetch(walk, pfn);
		find_listed_blocks(walk, pfn, &facts);
		if (facts.pages > span->end - pfn)
			facts.pages = span->end - pfn;
		if (facts.class_ == PM_RAM_FREE && walk->has_poison)
			put_free_block(walk, span, pfn, facts);
		else
			put_frame(walk, span, pfn, &facts);
	}
	return 0;
}

/*
 * The tables and areas of the kernel. Their lists change while a running kernel is read; such an
 * area has no mark then.
 */
static int find_marks(struct pm_ram_walk *walk)
{
	struct pm_notes notes = walk->image->notes;
	__u64 missing = walk->image->memory.missing;
	struct pm_tasks tasks;
	int error = pm_find_tasks(walk->image, &tasks);

	if (error == -ENODATA)
		return 0;
	if (!error)
		error = pm_mark_tables(walk->image, &tasks, &walk->marks);
	if (!error)
		error = pm_mark_kernel_areas(walk->image, &tasks, &walk->marks);
	if (!error)
		error = pm_mark_pools(walk->image, &walk->marks);
	if (!error && walk->has_stacks)
		error = pm_mark_page_stacks(&walk->stacks, &walk->marks);
	pm_free_tasks(&tasks);
	pm_marks_sort(&walk->marks);
	walk->stacks.marks = &walk->marks;
	walk->image->notes = notes;
	walk->image->memory.missing = missing;
	return error;
}

int pm_ram_walk_open(struct pm_ram_walk **opened, struct pm_image *image,
		     const struct pm_page_types *types)
{
	struct pm_ram_walk *walk = calloc(1, sizeof(*walk));
	int error;

	*opened = walk;
	if (!walk)
		return -ENOMEM;
	walk->image = image;
	walk->types = types;
	walk->has_poison = image->layout->at.poisoned_pages &&
			   pm_get(&image->memory, image->layout->at.poisoned_pages,
				  (struct pm_field){ 0, 8 });
	walk->has_stacks = pm_page_stacks_open(&walk->stacks, image);
	error = find_marks(walk);
	if (error) {
		pm_ram_walk_close(walk);
		*opened = NULL;
	}
	return error;
}

void pm_ram_walk_set_owners(struct pm_ram_walk *walk, __u64 written)
{
	walk->owners_before = written;
}

int pm_ram_walk_write(struct pm_ram_walk *walk, const struct pm_frame_span *spans, size_t n,
		      struct pm_out *out, int (*stop)(void *self), void *self)
{
	__u64 next = 0;
	int error = 0;
	size_t i;

	walk->stop = stop;
	walk->self = self;
	pm_ram_begin(&walk->writer, out);
	walk->writer.owners = walk->owners_before;
	pm_ram_owners_open(&walk->owners, walk->image, &walk->writer);
	walk->owners.last_id = walk->owners_before;
	for (i = 0; i < n && !error; i++) {
		put_class(walk, next, spans[i].begin, PM_RAM_HOLE);
		if (spans[i].reserved == PM_RAM_OFFLINE)
			put_class(walk, spans[i].begin, spans[i].end, PM_RAM_OFFLINE);
		else
			error = walk_span(walk, &spans[i]);
		next = spans[i].end;
	}
	if (!error)
		pm_ram_end(&walk->writer);
	pm_ram_owners_close(&walk->owners);
	return error;
}

void pm_ram_walk_close(struct pm_ram_walk *walk)
{
	if (walk)
		pm_marks_free(&walk->marks);
	free(walk);
}
