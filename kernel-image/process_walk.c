// SPDX-License-Identifier: MIT
#include "process_walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "emit/flags.h"
#include "kept_text.h"
#include "pte_walk.h"
#include "seen.h"
#include "space_state.h"
#include "task_facts.h"
#include "vma_walk.h"

/*
 * Text of areas after which it is checked whether the space has changed. A check costs as much as
 * reading a page table.
 */
#define BATCH_BYTES (256u << 10)

struct pm_process_walk {
	struct pm_image *image;
	struct pm_process_options options;
	struct pm_seen written;		/* address spaces whose VMAs were written */
	struct pm_areas areas;
	struct pm_tables tables;
	struct pm_task_names names;
	struct pm_area area;
	struct pm_page_counts counts;	/* of the current VMA */
	struct pm_stretch found;
	__u64 excluded;			/* pages of the current VMA that are not in the dump */
	/* Of a running kernel: M: and S: of the current VMA, and the areas of the address space. */
	struct pm_kept pages, swapped, space;
	struct pm_end in_space, checked_end;
	size_t checked_bytes;		/* of the areas: what is known to be true */
};

static void tally(struct pm_process_walk *walk)
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

static void emit_area(struct pm_process_walk *walk, struct pm_out *out, struct pm_end *end)
{
	struct pm_vma *vma = &walk->area.record;

	vma->resident = walk->counts.user * walk->image->memory.dump->page_size;
	/*
	 * Executable and read-only counts follow from the VMA's permissions
	 * (formats/physmem-records.md, P:).
	 */
	walk->counts.executable = vma->flags & PM_VMA_EXEC ? walk->counts.user : 0;
	walk->counts.read_only = vma->flags & PM_VMA_WRITE ? 0 : walk->counts.user;
	pm_emit_vma(out, vma);
	pm_emit_page_counts(out, &walk->counts);
	end->areas++;
	end->pages += walk->counts.user;
	end->swapped += walk->counts.swapped;
	end->excluded += walk->excluded;
}

static int stopped(const struct pm_process_walk *walk)
{
	int error = walk->options.stopped(walk->options.self);

	return walk->options.out->error ? walk->options.out->error : error;
}

typedef void (*stretch_fn)(struct pm_process_walk *walk);

static void emit_pages(struct pm_process_walk *walk)
{
	pm_emit_pages(walk->options.out, walk->found.pages, walk->found.n_pages);
}

static void emit_swapped(struct pm_process_walk *walk)
{
	pm_emit_swapped(walk->options.out, walk->found.swapped, walk->found.n_swapped);
}

/* Writes the lists of a VMA that is one stretch, which is still in memory. */
static void emit_stretch(const struct pm_process_walk *walk, struct pm_out *out)
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

static void tally_and_keep(struct pm_process_walk *walk)
{
	if (!walk->counts.user && walk->found.n_pages)
		pm_emit_pages_begin(&walk->pages.out);
	if (!walk->counts.swapped && walk->found.n_swapped)
		pm_emit_swapped_begin(&walk->swapped.out);
	tally(walk);
	pm_emit_pages(&walk->pages.out, walk->found.pages, walk->found.n_pages);
	pm_emit_swapped(&walk->swapped.out, walk->found.swapped, walk->found.n_swapped);
}

/* Reads the stretch of the VMA's pages at va. Returns the address where the next one begins. */
static __u64 read_stretch(struct pm_process_walk *walk, __u64 va)
{
	return pm_pte_walk(walk->image, &walk->tables, &walk->area.range, va, &walk->found);
}

/* Calls what_to_do for each stretch of the VMA's pages from va on. */
static int each_stretch(struct pm_process_walk *walk, __u64 va, stretch_fn what_to_do)
{
	int error = 0;

	while (va < walk->area.range.end && !error) {
		va = read_stretch(walk, va);
		what_to_do(walk);
		error = stopped(walk);
	}
	return error;
}

/* Writes the lists of a VMA by walking it again, without counting notes twice. */
static int emit_lists(struct pm_process_walk *walk)
{
	struct pm_notes notes = walk->image->notes;
	__u64 missing = walk->image->memory.missing;
	int error = 0;

	if (walk->counts.user) {
		pm_emit_pages_begin(walk->options.out);
		error = each_stretch(walk, walk->area.range.start, emit_pages);
		pm_emit_pages_end(walk->options.out);
	}
	if (walk->counts.swapped && !error) {
		pm_emit_swapped_begin(walk->options.out);
		error = each_stretch(walk, walk->area.range.start, emit_swapped);
		pm_emit_swapped_end(walk->options.out);
	}
	walk->image->notes = notes;
	walk->image->memory.missing = missing;
	return error;
}

/* Reads the first stretch of the VMA. Returns the address where the next one begins. */
static __u64 begin_area(struct pm_process_walk *walk)
{
	memset(&walk->counts, 0, sizeof(walk->counts));
	walk->excluded = 0;
	return read_stretch(walk, walk->area.range.start);
}

/* Writes a VMA that is one stretch. */
static int end_area(struct pm_process_walk *walk, struct pm_out *out, struct pm_end *end)
{
	int error = stopped(walk);

	if (error)
		return error;
	tally(walk);
	emit_area(walk, out, end);
	if (!walk->options.without_pages)
		emit_stretch(walk, out);
	return out->error;
}

static int take_area(struct pm_process_walk *walk)
{
	__u64 next = begin_area(walk);
	int error;

	if (next >= walk->area.range.end)
		return end_area(walk, walk->options.out, walk->options.end);
	tally(walk);
	error = each_stretch(walk, next, tally);
	if (error)
		return error;
	emit_area(walk, walk->options.out, walk->options.end);
	return walk->options.without_pages ? 0 : emit_lists(walk);
}

static int take_areas(struct pm_process_walk *walk, __u64 mm)
{
	struct pm_space_facts space;
	int error = pm_find_areas(walk->image, mm, &walk->areas);
	size_t i;

	pm_read_space(walk->image, mm, &space);
	pm_tables_open(walk->image, &walk->tables, mm);
	for (i = 0; i < walk->areas.n && !error; i++) {
		pm_area_facts(walk->image, &space, walk->areas.at[i], &walk->area);
		error = take_area(walk);
	}
	return error;
}

/* Adds a VMA of a running kernel to the text of its space. */
static int keep_area(struct pm_process_walk *walk)
{
	stretch_fn take = walk->options.without_pages ? tally : tally_and_keep;
	__u64 next = begin_area(walk);
	int error;

	if (next >= walk->area.range.end)
		return end_area(walk, &walk->space.out, &walk->in_space);
	pm_kept_clear(&walk->pages);
	pm_kept_clear(&walk->swapped);
	take(walk);
	error = each_stretch(walk, next, take);
	if (error)
		return error;
	emit_area(walk, &walk->space.out, &walk->in_space);
	if (walk->options.without_pages)
		return walk->space.out.error;
	if (walk->counts.user)
		pm_emit_pages_end(&walk->pages.out);
	if (walk->counts.swapped)
		pm_emit_swapped_end(&walk->swapped.out);
	pm_kept_write(&walk->pages, &walk->space.out);
	pm_kept_write(&walk->swapped, &walk->space.out);
	return walk->space.out.error;
}

/* The areas so far are true. */
static void mark_checked(struct pm_process_walk *walk)
{
	pm_out_flush(&walk->space.out);
	walk->checked_bytes = walk->space.used;
	walk->checked_end = walk->in_space;
}

/* Drops the areas since the last check. */
static void drop_unchecked(struct pm_process_walk *walk)
{
	walk->space.out.used = 0;
	walk->space.used = walk->checked_bytes;
	walk->in_space = walk->checked_end;
}

static void begin_space(struct pm_process_walk *walk)
{
	pm_kept_clear(&walk->space);
	memset(&walk->in_space, 0, sizeof(walk->in_space));
	mark_checked(walk);
}

static void write_space(struct pm_process_walk *walk)
{
	struct pm_end *end = walk->options.end;

	end->areas += walk->in_space.areas;
	end->pages += walk->in_space.pages;
	end->swapped += walk->in_space.swapped;
	pm_kept_write(&walk->space, walk->options.out);
}

/* A try to read the areas of a running kernel's address space. */
struct look {
	const struct pm_task_entry *task;
	struct pm_space_state state;	/* before it */
	struct pm_space_facts space;
	__u64 from;		/* areas below are known to be true */
	size_t checked;		/* areas of the list that are, or are below */
	__u64 places;		/* of those after them, as one number: place_of() */
};

static __u64 place_of(__u64 before, __u64 start, __u64 end)
{
	const __u64 prime = 0x100000001b3;	/* of FNV-1a */

	return ((before ^ start) * prime ^ end) * prime;
}

/* Whether the areas since the last check still are where they were. */
static bool are_in_place(struct pm_process_walk *walk, const struct look *look, size_t n)
{
	struct pm_image *image = walk->image;
	const struct pm_layout *layout = image->layout;
	__u64 places = 0;
	size_t i;

	/* The kernel counts each change. */
	if (layout->mm_sequence.offset >= 0 || layout->mm_table_sequence.offset >= 0)
		return true;
	for (i = look->checked; i < n; i++)
		pm_forget(&image->memory, walk->areas.at[i] + (__u64)layout->vma_start.offset);
	for (i = look->checked; i < n; i++)
		places = place_of(places, PM_GET(image, walk->areas.at[i], vma_start),
				  PM_GET(image, walk->areas.at[i], vma_end));
	return places == look->places;
}

static bool is_unchanged(struct pm_process_walk *walk, const struct look *look, size_t n)
{
	struct pm_space_state state;

	return are_in_place(walk, look, n) &&
	       pm_read_space_state(walk->image, look->task, &state) &&
	       pm_is_same_space(&look->state, &state);
}

/* Keeps areas as long as the space is the same as before. *is_done: all of them. */
static int take_unchanged_areas(struct pm_process_walk *walk, struct look *look, bool *is_done)
{
	struct pm_image *image = walk->image;
	struct pm_notes notes = image->notes;
	__u64 missing = image->memory.missing;
	int error = pm_find_areas(image, look->task->mm, &walk->areas);
	size_t i;

	pm_read_space(image, look->task->mm, &look->space);
	pm_tables_open(image, &walk->tables, look->task->mm);
	*is_done = image->notes.corrupt == notes.corrupt;
	look->checked = 0;
	look->places = 0;
	for (i = 0; i < walk->areas.n && !error && *is_done; i++) {
		pm_area_facts(image, &look->space, walk->areas.at[i], &walk->area);
		if (walk->area.record.start < look->from) {
			look->checked = i + 1;
			continue;
		}
		look->places = place_of(look->places, walk->area.range.start, walk->area.range.end);
		error = keep_area(walk);
		if (error || (walk->space.used - walk->checked_bytes < BATCH_BYTES &&
			      i + 1 < walk->areas.n))
			continue;
		*is_done = image->notes.corrupt == notes.corrupt &&
			   is_unchanged(walk, look, i + 1);
		if (!*is_done)
			break;
		mark_checked(walk);
		look->from = walk->area.range.end;
		look->checked = i + 1;
		look->places = 0;
		notes = image->notes;
		missing = image->memory.missing;
	}
	drop_unchecked(walk);
	image->notes = notes;		/* of areas that are dropped */
	image->memory.missing = missing;
	return error;
}

static int take_live_areas(struct pm_process_walk *walk, const struct pm_task_entry *task)
{
	struct look look = { .task = task };
	bool is_done = false;
	unsigned int tries;
	int error = 0;

	begin_space(walk);
	for (tries = 0; tries < PM_SPACE_TRIES && !error && !is_done; tries++) {
		pm_memory_renew(&walk->image->memory);
		if (!pm_read_space_state(walk->image, task, &look.state)) {
			walk->image->notes.task_exited++;
			return 0;
		}
		error = take_unchanged_areas(walk, &look, &is_done);
	}
	if (error)
		return error;
	if (is_done) {
		write_space(walk);
	} else {
		walk->image->notes.space_changed++;
		walk->options.unread(walk->options.self, task->tgid);
	}
	return walk->options.out->error;
}

/* What the kernel counts for the page tables of an address space, as VmPTE in /proc/PID/status. */
static void emit_page_tables(struct pm_process_walk *walk, const struct pm_task_entry *task)
{
	char name[64];
	struct pm_counter tables = { name, PM_GET(walk->image, task->mm, mm_table_bytes) >> 10 };

	snprintf(name, sizeof(name), "process.%llu.page_tables_kB",
		 (unsigned long long)task->tgid);
	pm_emit_counters(walk->options.out, &tables, 1);
}

/* Whether a task of a running kernel has ended since its facts were read. */
static bool has_ended(struct pm_process_walk *walk, const struct pm_task_entry *task)
{
	if (!walk->options.is_live)
		return false;
	pm_forget(&walk->image->memory, task->at + (__u64)walk->image->layout->task_pid.offset);
	if (PM_GET(walk->image, task->at, task_pid) == task->pid)
		return false;
	walk->image->notes.task_exited++;
	return true;
}

/* Writes the task. The VMAs of an address space follow the first task that has it. */
static int take_task(struct pm_process_walk *walk, const struct pm_process *process,
		     const struct pm_task_entry *task)
{
	bool has_areas = task->mm && !pm_seen_has(&walk->written, task->mm);
	struct pm_task record;

	pm_task_facts(walk->image, task, process->tasks, process->n, &record, &walk->names);
	if (has_ended(walk, task))
		return stopped(walk);
	/* No address of a running kernel is shown: its name is the first process that has it. */
	if (walk->options.is_live && task->mm && !pm_seen_name(&walk->written, task->mm, &record.mm))
		record.mm = task->tgid;
	if (has_areas && walk->options.with_tables)
		emit_page_tables(walk, task);
	pm_emit_task(walk->options.out, &record);
	walk->options.end->tasks++;
	if (!has_areas)
		return stopped(walk);
	if (!pm_seen_add(&walk->written, task->mm, task->tgid))
		return -ENOMEM;
	return walk->options.is_live ? take_live_areas(walk, task) : take_areas(walk, task->mm);
}

int pm_write_process(struct pm_process_walk *walk, const struct pm_process *process)
{
	int error = 0;
	size_t i;

	if (walk->options.is_live)
		pm_memory_renew(&walk->image->memory);
	for (i = 0; i < process->n && !error; i++)
		error = take_task(walk, process, &process->tasks[i]);
	return error;
}

static void emit_note(struct pm_out *out, const char *name, __u64 value)
{
	struct pm_counter note = { name, value };

	if (value)
		pm_emit_counters(out, &note, 1);
}

void pm_emit_notes(struct pm_out *out, const struct pm_notes *notes)
{
	emit_note(out, "note.in_transit", notes->in_transit);
	emit_note(out, "markers.guard", notes->markers.guard);
	emit_note(out, "markers.write_protect", notes->markers.write_protect);
	emit_note(out, "note.table_excluded", notes->table_excluded);
	emit_note(out, "note.frame_excluded", notes->frame_excluded);
	emit_note(out, "note.name_excluded", notes->name_excluded);
	emit_note(out, "note.corrupt", notes->corrupt);
	emit_note(out, "note.task_exited", notes->task_exited);
	emit_note(out, "note.space_changed", notes->space_changed);
}

int pm_process_walk_open(struct pm_process_walk **walk, struct pm_image *image,
			 const struct pm_process_options *options)
{
	*walk = calloc(1, sizeof(**walk));
	if (!*walk)
		return -ENOMEM;
	(*walk)->image = image;
	(*walk)->options = *options;
	pm_kept_open(&(*walk)->pages);
	pm_kept_open(&(*walk)->swapped);
	pm_kept_open(&(*walk)->space);
	return 0;
}

void pm_process_walk_close(struct pm_process_walk *walk)
{
	if (!walk)
		return;
	pm_free_areas(&walk->areas);
	pm_tables_close(&walk->tables);
	pm_seen_free(&walk->written);
	pm_kept_free(&walk->pages);
	pm_kept_free(&walk->swapped);
	pm_kept_free(&walk->space);
	free(walk);
}
