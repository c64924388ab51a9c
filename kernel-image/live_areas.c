// SPDX-License-Identifier: MIT
#include "live_areas.h"

#include <errno.h>

#include "area_prefetch.h"

/*
 * Text after which it is checked whether the space has changed, of whole steps. A check costs as
 * much as reading a page table.
 */
#define BATCH_BYTES (256u << 10)

/* A step is so much smaller after a change, and has at least so many pages. */
#define SMALLER 8u
#define SMALLEST_STEP 128u

/* A walk through the areas of one address space. */
struct look {
	struct pm_live_areas *live;
	const struct pm_task_entry *task;
	struct pm_space_state state;	/* when the areas were listed */
	struct pm_space_facts space;
	bool is_listed;			/* the list is whole */
	size_t at;			/* the current area of the list is the one before */
	size_t fetched;			/* areas whose pages have been read together */
	__u64 from;			/* areas that begin below are done */
	size_t step;			/* pages of a piece */
	unsigned int tries;		/* that failed since the last successful check */
	int error;
	/* At the last check: */
	struct pm_notes notes;
	__u64 missing;
	size_t checked;			/* areas of the list that were done */
	__u64 places;			/* of the areas after them, as one number: place_of() */
};

static struct pm_image *image_of(const struct look *look)
{
	return look->live->walk->image;
}

static __u64 place_of(__u64 before, __u64 start, __u64 end)
{
	const __u64 prime = 0x100000001b3;	/* of FNV-1a */

	return ((before ^ start) * prime ^ end) * prime;
}

static void add_place(struct look *look)
{
	const struct pm_vma *vma = &look->live->walk->area.record;

	look->places = place_of(look->places, vma->start, vma->last + 1);
}

/* Makes the area of the list with this index the current one. */
static void enter(struct look *look, size_t i)
{
	struct pm_area_walk *walk = look->live->walk;

	pm_area_facts(walk->image, &look->space, look->live->list.at[i], &walk->area);
	look->at = i + 1;
}

/* Whether the areas since the last check still are where they were. */
static bool are_in_place(const struct look *look)
{
	struct pm_image *image = image_of(look);
	const struct pm_layout *layout = image->layout;
	const __u64 *areas = look->live->list.at;
	__u64 places = 0;
	size_t i;

	/* The kernel counts each change. */
	if (layout->mm_sequence.offset >= 0 || layout->mm_table_sequence.offset >= 0)
		return true;
	for (i = look->checked; i < look->at; i++)
		pm_forget(&image->memory, areas[i] + (__u64)layout->vma_start.offset);
	for (i = look->checked; i < look->at; i++)
		places = place_of(places, PM_GET(image, areas[i], vma_start),
				  PM_GET(image, areas[i], vma_end));
	return places == look->places;
}

static bool is_unchanged(const struct look *look)
{
	struct pm_image *image = image_of(look);
	struct pm_space_state state;

	return image->notes.corrupt == look->notes.corrupt &&
	       image->notes.table_excluded == look->notes.table_excluded && are_in_place(look) &&
	       pm_read_space_state(image, look->task, &state) &&
	       pm_is_same_space(&look->state, &state);
}

/* What was kept is true: writes it. `done`: areas of the list that do not have to be checked. */
static void accept(struct look *look, size_t done)
{
	struct pm_live_areas *live = look->live;
	struct pm_end *end = live->options->end;

	end->areas += live->kept_end.areas;
	end->pages += live->kept_end.pages;
	end->swapped += live->kept_end.swapped;
	memset(&live->kept_end, 0, sizeof(live->kept_end));
	pm_kept_write(&live->kept, live->options->out);
	look->notes = image_of(look)->notes;
	look->missing = image_of(look)->memory.missing;
	look->tries = 0;
	look->step = 2 * look->step < PM_STEP ? 2 * look->step : PM_STEP;
	live->walk->tables.step = look->step;
	look->checked = done;
	look->places = 0;
	if (done < look->at)
		add_place(look);
}

/* What was kept may be wrong: drops it, and what was noted since the last check. */
static void reject(struct look *look)
{
	struct pm_live_areas *live = look->live;

	pm_kept_clear(&live->kept);
	memset(&live->kept_end, 0, sizeof(live->kept_end));
	image_of(look)->notes = look->notes;
	image_of(look)->memory.missing = look->missing;
	pm_memory_renew_pages(&image_of(look)->memory);
	look->tries++;
	look->step = look->step / SMALLER > SMALLEST_STEP ? look->step / SMALLER : SMALLEST_STEP;
}

/*
 * Lists the areas as they are now. Returns false if the space has ended, if they cannot be listed
 * because they change, or after an error.
 */
static bool look_at_space(struct look *look)
{
	struct pm_live_areas *live = look->live;
	struct pm_image *image = image_of(look);

	pm_memory_renew(&image->memory);
	look->at = 0;
	look->fetched = 0;
	look->checked = 0;
	look->places = 0;
	look->is_listed = false;
	if (!pm_read_space_state(image, look->task, &look->state)) {
		look->error = -ESRCH;
		return false;
	}
	look->error = pm_find_areas(image, look->task->mm, &live->list);
	if (look->error)
		return false;
	if (look->state.is_locked || image->notes.corrupt != look->notes.corrupt ||
	    image->memory.missing != look->missing ||
	    (image->layout->mm_areas.offset >= 0 && live->list.n != look->state.areas)) {
		reject(look);
		return false;
	}
	pm_read_space(image, look->task->mm, &look->space);
	pm_tables_open(image, &live->walk->tables, look->task->mm);
	live->walk->tables.step = look->step;
	look->is_listed = true;
	return true;
}

static int stopped(const struct look *look)
{
	const struct pm_process_options *options = look->live->options;
	int error = options->stopped(options->self);

	return options->out->error ? options->out->error : error;
}

static bool is_same_mapping(const struct pm_area *a, const struct pm_area *b)
{
	const struct pm_vma *one = &a->record, *other = &b->record;

	return one->dev_major == other->dev_major && one->dev_minor == other->dev_minor &&
	       one->inode == other->inode &&
	       one->offset - one->start == other->offset - other->start &&
	       a->range.is_hugetlb == b->range.is_hugetlb &&
	       a->range.has_no_pages == b->range.has_no_pages;
}

/*
 * Finds what there is of the listed area from *va on: it may have become smaller, or several ones.
 * Returns false if there is nothing.
 */
static bool find_part(struct look *look, __u64 *va)
{
	struct pm_live_areas *live = look->live;
	const struct pm_range *listed = &live->listed.range;
	struct pm_range *part = &live->walk->area.range;
	size_t i;

	for (i = 0; i < live->list.n && *va < listed->end; i++) {
		enter(look, i);
		if (part->end <= *va)
			continue;
		look->checked = i;
		look->places = 0;
		if (part->start >= listed->end ||
		    !is_same_mapping(&live->walk->area, &live->listed)) {
			look->at = i;	/* an area of its own */
			return false;
		}
		add_place(look);
		*va = part->start > *va ? part->start : *va;
		part->end = part->end < listed->end ? part->end : listed->end;
		return true;
	}
	if (*va < listed->end) {
		look->checked = look->at;
		look->places = 0;
	}
	return false;
}

/*
 * Reads the piece of the listed area at *va, and advances *va past it. Returns false at the end of
 * the area, or if the space changes at each try.
 */
static bool read_piece(struct look *look, __u64 *va)
{
	struct pm_area_walk *walk = look->live->walk;

	while (*va < look->live->listed.range.end) {
		bool is_there = look->is_listed &&
				(*va < walk->area.range.end || find_part(look, va));
		__u64 next = is_there ? pm_area_next(walk, *va) : *va;

		if (look->is_listed && is_unchanged(look)) {
			accept(look, is_there ? look->at - 1 : look->at);
			*va = next;
			return is_there;
		}
		if (look->is_listed)
			reject(look);
		if (look->tries >= PM_SPACE_TRIES)
			return false;
		look_at_space(look);
		if (look->error)
			return false;
		walk->area.range.end = 0;	/* to be found again */
	}
	return false;
}

/* Counts and writes the pages of the listed area, whose first piece has been read and counted. */
static void list_pages(struct look *look, __u64 va)
{
	const struct pm_process_options *options = look->live->options;
	struct pm_area_walk *walk = look->live->walk;

	for (;;) {
		if (!options->without_pages)
			pm_emit_pages(options->out, walk->found.pages, walk->found.n_pages);
		look->error = stopped(look);
		if (look->error || !read_piece(look, &va))
			return;
		pm_area_tally(walk);
	}
}

/* Writes its swap slots, by walking it again, without counting notes twice. */
static void list_slots(struct look *look)
{
	struct pm_area_walk *walk = look->live->walk;
	struct pm_out *out = look->live->options->out;
	struct pm_notes notes = look->notes;
	__u64 missing = look->missing, va = look->live->listed.range.start;

	walk->counts.swapped = 0;
	walk->tables.without_facts = true;
	pm_emit_swapped_begin(out);
	walk->area.range.end = 0;	/* from its beginning on */
	while (!look->error && read_piece(look, &va)) {
		pm_emit_swapped(out, walk->found.swapped, walk->found.n_swapped);
		walk->counts.swapped += walk->found.n_swapped;
		look->error = stopped(look);
	}
	pm_emit_swapped_end(out);
	walk->tables.without_facts = false;
	look->notes = image_of(look)->notes = notes;
	look->missing = image_of(look)->memory.missing = missing;
}

/* Writes an area of several pieces, the first of which was read. Returns false if it was wrong. */
static bool list_area(struct look *look, __u64 next)
{
	struct pm_live_areas *live = look->live;
	struct pm_area_walk *walk = live->walk;
	struct pm_out *out = live->options->out;
	bool with_lists = !live->options->without_pages;

	if (!is_unchanged(look)) {
		reject(look);
		return false;
	}
	accept(look, look->at - 1);
	pm_area_tally(walk);
	live->listed = walk->area;
	if (with_lists) {
		pm_area_emit(walk, out);
		pm_emit_pages_begin(out);
	}
	list_pages(look, next);
	if (with_lists) {
		pm_emit_pages_end(out);
		if (walk->counts.swapped && look->is_listed && look->tries < PM_SPACE_TRIES)
			list_slots(look);
		else
			walk->counts.swapped = 0;
	}
	walk->area = live->listed;
	if (with_lists)
		pm_area_emit_counts(walk, out);
	else
		pm_area_emit(walk, out);
	pm_area_add_to(walk, live->options->end);
	look->from = live->listed.range.end;
	return true;
}

/* Keeps the current area, or writes it. Returns false if what was read is wrong, or after an error.
 */
static bool take_area(struct look *look)
{
	struct pm_live_areas *live = look->live;
	struct pm_area_walk *walk = live->walk;
	__u64 next = pm_area_begin(walk);

	look->error = stopped(look);
	if (look->error)
		return false;
	if (next < walk->area.range.end)
		return list_area(look, next);
	pm_area_tally(walk);
	pm_area_emit(walk, &live->kept.out);
	if (!live->options->without_pages)
		pm_area_emit_stretch(walk, &live->kept.out);
	pm_area_add_to(walk, &live->kept_end);
	look->error = live->kept.out.error;
	return !look->error;
}

static bool check(struct look *look)
{
	if (!is_unchanged(look)) {
		reject(look);
		return false;
	}
	accept(look, look->at);
	return true;
}

/* Reads what the current area and some of those after it need. */
static void fetch(struct look *look)
{
	const struct pm_areas *list = &look->live->list;
	size_t first = look->at - 1;

	look->fetched = first + pm_prefetch_areas(image_of(look), &look->live->walk->tables,
						  list->at + first, list->n - first);
}

/* Takes all areas from look->from on. Returns false if some have to be looked at again. */
static bool take_areas(struct look *look)
{
	struct pm_live_areas *live = look->live;

	while (look->at < live->list.n && look->tries < PM_SPACE_TRIES) {
		enter(look, look->at);
		if (live->walk->area.record.start < look->from) {
			look->checked = look->at;
			continue;
		}
		if (look->at > look->fetched)
			fetch(look);
		add_place(look);
		if (!take_area(look) || look->error || !look->is_listed)
			return false;
		if (live->kept.used < BATCH_BYTES / PM_STEP * look->step)
			continue;
		if (!check(look))
			return false;
		look->from = live->walk->area.range.end;
	}
	return look->tries < PM_SPACE_TRIES && check(look);
}

int pm_write_live_areas(struct pm_live_areas *live, const struct pm_task_entry *task)
{
	struct pm_image *image = live->walk->image;
	struct look look = { .live = live,
			     .task = task,
			     .step = PM_STEP,
			     .notes = image->notes,
			     .missing = image->memory.missing };
	bool is_done = false;

	while (!is_done && !look.error && look.tries < PM_SPACE_TRIES)
		if (look_at_space(&look))
			is_done = take_areas(&look);
	if (look.error && look.error != -ESRCH)
		return look.error;
	if (!is_done)
		reject(&look);
	if (look.error) {
		image->notes.task_exited++;
	} else if (!is_done) {
		image->notes.space_changed++;
		live->options->unread(live->options->self, task->tgid);
	}
	return live->options->out->error;
}

void pm_live_areas_open(struct pm_live_areas *live, struct pm_area_walk *walk,
			const struct pm_process_options *options)
{
	live->walk = walk;
	live->options = options;
	pm_kept_open(&live->kept);
}

void pm_live_areas_close(struct pm_live_areas *live)
{
	pm_free_areas(&live->list);
	pm_kept_free(&live->kept);
}
