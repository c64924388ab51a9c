// SPDX-License-Identifier: MIT
#include "process_walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "area_walk.h"
#include "live_areas.h"
#include "seen.h"
#include "task_facts.h"

struct pm_process_walk {
	struct pm_process_options options;
	/* Address spaces whose VMAs were written: the process, and its task_struct. */
	struct pm_seen written, holders;
	struct pm_areas areas;
	struct pm_area_walk area;
	struct pm_live_areas live;
	struct pm_task_names names;
};

static int stopped(const struct pm_process_walk *walk)
{
	int error = walk->options.stopped(walk->options.self);

	return walk->options.out->error ? walk->options.out->error : error;
}

typedef void (*stretch_fn)(struct pm_process_walk *walk);

static void tally(struct pm_process_walk *walk)
{
	pm_area_tally(&walk->area);
}

static void emit_pages(struct pm_process_walk *walk)
{
	pm_emit_pages(walk->options.out, walk->area.found.pages, walk->area.found.n_pages);
}

static void emit_swapped(struct pm_process_walk *walk)
{
	pm_emit_swapped(walk->options.out, walk->area.found.swapped, walk->area.found.n_swapped);
}

/* Calls what_to_do for each stretch of the VMA's pages from va on. */
static int each_stretch(struct pm_process_walk *walk, __u64 va, stretch_fn what_to_do)
{
	int error = 0;

	while (va < walk->area.area.range.end && !error) {
		va = pm_area_next(&walk->area, va);
		what_to_do(walk);
		error = stopped(walk);
	}
	return error;
}

/* Writes the lists of a VMA by walking it again, without counting notes twice. */
static int emit_lists(struct pm_process_walk *walk)
{
	struct pm_image *image = walk->area.image;
	__u64 missing = image->memory.missing, start = walk->area.area.range.start;
	struct pm_notes notes = image->notes;
	int error = 0;

	if (walk->area.counts.user) {
		pm_emit_pages_begin(walk->options.out);
		error = each_stretch(walk, start, emit_pages);
		pm_emit_pages_end(walk->options.out);
	}
	if (walk->area.counts.swapped && !error) {
		pm_emit_swapped_begin(walk->options.out);
		walk->area.tables.without_facts = true;
		error = each_stretch(walk, start, emit_swapped);
		walk->area.tables.without_facts = false;
		pm_emit_swapped_end(walk->options.out);
	}
	image->notes = notes;
	image->memory.missing = missing;
	return error;
}

static int take_area(struct pm_process_walk *walk)
{
	__u64 next = pm_area_begin(&walk->area);
	bool is_stretch = next >= walk->area.area.range.end;
	int error = stopped(walk);

	if (error)
		return error;
	tally(walk);
	error = each_stretch(walk, next, tally);
	if (error)
		return error;
	pm_area_emit(&walk->area, walk->options.out);
	pm_area_add_to(&walk->area, walk->options.end);
	if (walk->options.without_pages)
		return 0;
	if (!is_stretch)
		return emit_lists(walk);
	pm_area_emit_stretch(&walk->area, walk->options.out);
	return walk->options.out->error;
}

static int take_areas(struct pm_process_walk *walk, __u64 mm)
{
	struct pm_image *image = walk->area.image;
	struct pm_space_facts space;
	int error = pm_find_areas(image, mm, &walk->areas);
	size_t i;

	pm_read_space(image, mm, &space);
	pm_tables_open(image, &walk->area.tables, mm);
	for (i = 0; i < walk->areas.n && !error; i++) {
		pm_area_facts(image, &space, walk->areas.at[i], &walk->area.area);
		error = take_area(walk);
	}
	return error;
}

/* What the kernel counts for the page tables of an address space, as VmPTE in /proc/PID/status. */
static void emit_page_tables(struct pm_process_walk *walk, const struct pm_task_entry *task)
{
	char name[64];
	struct pm_counter tables = { name, PM_GET(walk->area.image, task->mm, mm_table_bytes) >> 10 };

	snprintf(name, sizeof(name), "process.%llu.page_tables_kB",
		 (unsigned long long)task->tgid);
	pm_emit_counters(walk->options.out, &tables, 1);
}

/* Whether a task of a running kernel has ended since its facts were read. */
static bool has_ended(struct pm_process_walk *walk, const struct pm_task_entry *task)
{
	if (!walk->options.is_live)
		return false;
	pm_forget(&walk->area.image->memory, task->at + (__u64)walk->area.image->layout->task_pid.offset);
	if (PM_GET(walk->area.image, task->at, task_pid) == task->pid)
		return false;
	walk->area.image->notes.task_exited++;
	return true;
}

/* A member of a task as it is now. */
static __u64 reread(struct pm_process_walk *walk, __u64 task, struct pm_field field)
{
	pm_forget(&walk->area.image->memory, task + (__u64)field.offset);
	return pm_get(&walk->area.image->memory, task, field);
}

/*
 * Whether the VMAs of the task's address space were written. A running kernel soon gives the
 * address of one that has ended to another: it is the same only while the process that was written
 * still has it.
 */
static bool is_written(struct pm_process_walk *walk, const struct pm_process *process,
		       const struct pm_task_entry *task)
{
	const struct pm_layout *layout = walk->area.image->layout;
	__u64 tgid, holder;

	if (!pm_seen_name(&walk->written, task->mm, &tgid))
		return false;
	if (!walk->options.is_live || tgid == task->tgid)
		return true;
	return pm_seen_name(&walk->holders, task->mm, &holder) && holder != process->tasks->at &&
	       reread(walk, holder, layout->task_tgid) == tgid &&
	       reread(walk, holder, layout->task_mm) == task->mm;
}

/* Writes the task. The VMAs of an address space follow the first task that has it. */
static int take_task(struct pm_process_walk *walk, const struct pm_process *process,
		     const struct pm_task_entry *listed)
{
	struct pm_task_entry now = *listed, *task = &now;
	struct pm_task record;
	bool has_areas;

	/* It may have begun another program since it was listed. */
	if (walk->options.is_live && now.mm)
		now.mm = PM_GET(walk->area.image, now.at, task_mm);
	has_areas = task->mm && !is_written(walk, process, task);
	pm_task_facts(walk->area.image, task, process->tasks, process->n, &record, &walk->names);
	if (has_ended(walk, task))
		return stopped(walk);
	/* No address of a running kernel is shown: its name is the first process that has it. */
	if (walk->options.is_live && task->mm) {
		record.mm = task->tgid;
		if (!has_areas)
			pm_seen_name(&walk->written, task->mm, &record.mm);
	}
	if (has_areas && walk->options.with_tables)
		emit_page_tables(walk, task);
	pm_emit_task(walk->options.out, &record);
	walk->options.end->tasks++;
	if (!has_areas)
		return stopped(walk);
	if (!pm_seen_set(&walk->written, task->mm, task->tgid) ||
	    !pm_seen_set(&walk->holders, task->mm, task->at))
		return -ENOMEM;
	return walk->options.is_live ? pm_write_live_areas(&walk->live, task) :
				       take_areas(walk, task->mm);
}

/* Bytes of these structs that have all members that are read, in most kernels. */
#define TASK_BYTES 2560u
#define SPACE_BYTES 1024u	/* mm_struct, signal_struct */

#define TASKS 64u	/* that are read together */

/* Reads what all tasks have, and what the process has once. */
static void prefetch_process(struct pm_image *image, const struct pm_process *process)
{
	const struct pm_task_entry *leader = process->tasks;
	__u64 at[TASKS];
	size_t n;

	for (n = 0; n < process->n && n < TASKS; n++)
		at[n] = process->tasks[n].at;
	pm_prefetch(&image->memory, at, n, TASK_BYTES);
	at[0] = leader->mm;
	at[1] = PM_GET(image, leader->at, task_signal);
	pm_prefetch(&image->memory, at, 2, SPACE_BYTES);
}

int pm_write_process(struct pm_process_walk *walk, const struct pm_process *process)
{
	int error = 0;
	size_t i;

	if (walk->options.is_live) {
		pm_memory_renew(&walk->area.image->memory);
		prefetch_process(walk->area.image, process);
	}
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
	(*walk)->options = *options;
	(*walk)->area.image = image;
	pm_live_areas_open(&(*walk)->live, &(*walk)->area, &(*walk)->options);
	return 0;
}

void pm_process_walk_close(struct pm_process_walk *walk)
{
	if (!walk)
		return;
	pm_free_areas(&walk->areas);
	pm_tables_close(&walk->area.tables);
	pm_seen_free(&walk->written);
	pm_seen_free(&walk->holders);
	pm_live_areas_close(&walk->live);
	free(walk);
}
