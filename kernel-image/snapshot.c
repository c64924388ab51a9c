// SPDX-License-Identifier: MIT
#include "snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "emit/flags.h"
#include "pte_walk.h"
#include "seen.h"
#include "task_facts.h"
#include "vma_walk.h"

#define NS_A_SECOND 1000000000ull

struct snapshot {
	struct pm_image *image;
	const struct pm_choice *choice;
	struct pm_out *out;
	struct pm_end *end;
	const struct pm_progress *progress;
	size_t tasks_done;

	struct pm_tasks tasks;
	struct pm_seen written;		/* address spaces whose VMAs were written */
	struct pm_areas areas;
	struct pm_tables tables;
	struct pm_task_names names;
	struct pm_area area;
	struct pm_page_counts counts;	/* of the current VMA */
	struct pm_stretch found;
};

/* Only a damaged dump has more than 2^52. Readers reject that, so 0 is written, and it is noted. */
static __u64 plausible_ram_pages(struct pm_image *image)
{
	if (image->ram_pages <= 1ull << 52)
		return image->ram_pages;
	image->notes.corrupt++;
	return 0;
}

static void emit_header(struct snapshot *s)
{
	struct pm_image *image = s->image;
	__u64 clock = image->layout->at.clock;
	__u64 seconds = PM_GET(image, clock, clock_seconds);
	__u64 ns = PM_GET(image, clock, clock_ns) >> (PM_GET(image, clock, clock_shift) & 63);
	__u64 boot_s = seconds + PM_GET(image, clock, clock_to_monotonic);
	struct pm_header header = {
		.arch = image->machine,
		.kernel = image->release,
		.collector = "crash",
		.pte = "raw",
		.prot = "raw",
		.count = "mapcount",
		.pages = s->choice->without_pages ? "none" : "all",
		.pfn = "shown",
		.ram = s->choice->ram ? "all" : NULL,
		.ram_by = s->choice->ram ? "crash" : NULL,
		.page_size = image->memory.dump->page_size,
		.time_ns = seconds * NS_A_SECOND + ns,
		.uptime_ns = boot_s * NS_A_SECOND + ns +
			     PM_GET(image, clock, clock_to_monotonic_ns) +
			     PM_GET(image, clock, clock_to_boot),
		.hz = 100,
		.ram_pages = plausible_ram_pages(image),
		.phys_mask = image->tables.phys_mask,
		.host = image->host,
		.boot_id = image->boot_id[0] ? image->boot_id : NULL,
	};

	pm_emit_header(s->out, &header);
}

static void tally(struct snapshot *s)
{
	unsigned int page_shift = s->image->tables.shift[0];
	size_t i;

	for (i = 0; i < s->found.n_pages; i++) {
		const struct pm_page *page = &s->found.pages[i];

		s->counts.single_use += page->count == 1;
		s->counts.shared += page->count > 1;
		if (!(page->flags & PM_PAGE_NOPAGE))
			s->end->excluded +=
				!pm_holds(s->image,
					  (page->pte & s->image->tables.phys_mask) >> page_shift);
	}
	s->counts.user += s->found.n_pages;
	s->counts.swapped += s->found.n_swapped;
	if (s->found.is_guarded)
		s->area.record.flags |= PM_VMA_GUARDED;
}

static void emit_area(struct snapshot *s)
{
	struct pm_vma *vma = &s->area.record;

	vma->resident = s->counts.user * s->image->memory.dump->page_size;
	/*
	 * Executable and read-only counts follow from the VMA's permissions
	 * (formats/physmem-records.md, P:).
	 */
	s->counts.executable = vma->flags & PM_VMA_EXEC ? s->counts.user : 0;
	s->counts.read_only = vma->flags & PM_VMA_WRITE ? 0 : s->counts.user;
	pm_emit_vma(s->out, vma);
	pm_emit_page_counts(s->out, &s->counts);
	s->end->areas++;
	s->end->pages += s->counts.user;
	s->end->swapped += s->counts.swapped;
}

static void report_progress(const struct snapshot *s)
{
	if (s->progress->report)
		s->progress->report(s->progress->to, s->tasks_done, s->tasks.n, s->end->pages);
}

static int stopped(const struct snapshot *s)
{
	report_progress(s);
	return s->out->error ? s->out->error : pm_is_interrupted(s->image) ? -EINTR : 0;
}

typedef void (*stretch_fn)(struct snapshot *s);

static void emit_pages(struct snapshot *s)
{
	pm_emit_pages(s->out, s->found.pages, s->found.n_pages);
}

static void emit_swapped(struct snapshot *s)
{
	pm_emit_swapped(s->out, s->found.swapped, s->found.n_swapped);
}

/* Calls what_to_do for each stretch of the VMA's pages. *stretches: the number of stretches. */
static int each_stretch(struct snapshot *s, stretch_fn what_to_do, size_t *stretches)
{
	__u64 va = s->area.range.start;
	int error = 0;

	for (*stretches = 0; va < s->area.range.end && !error; ++*stretches) {
		va = pm_pte_walk(s->image, &s->tables, &s->area.range, va, &s->found);
		what_to_do(s);
		error = stopped(s);
	}
	return error;
}

/*
 * Writes the lists of a VMA. A single stretch is still in memory. A longer VMA is walked again,
 * without counting notes twice.
 */
static int emit_lists(struct snapshot *s, bool is_at_hand)
{
	struct pm_notes notes = s->image->notes;
	__u64 missing = s->image->memory.missing;
	size_t stretches;
	int error = 0;

	if (s->counts.user) {
		pm_emit_pages_begin(s->out);
		if (is_at_hand)
			emit_pages(s);
		else
			error = each_stretch(s, emit_pages, &stretches);
		pm_emit_pages_end(s->out);
	}
	if (s->counts.swapped && !error) {
		pm_emit_swapped_begin(s->out);
		if (is_at_hand)
			emit_swapped(s);
		else
			error = each_stretch(s, emit_swapped, &stretches);
		pm_emit_swapped_end(s->out);
	}
	s->image->notes = notes;
	s->image->memory.missing = missing;
	return error;
}

static int take_area(struct snapshot *s)
{
	size_t stretches;
	int error;

	memset(&s->counts, 0, sizeof(s->counts));
	error = each_stretch(s, tally, &stretches);
	if (error)
		return error;
	emit_area(s);
	return s->choice->without_pages ? 0 : emit_lists(s, stretches == 1);
}

static int take_areas(struct snapshot *s, __u64 mm)
{
	struct pm_space_facts space;
	int error = pm_find_areas(s->image, mm, &s->areas);
	size_t i;

	pm_read_space(s->image, mm, &space);
	pm_tables_open(s->image, &s->tables, mm);
	for (i = 0; i < s->areas.n && !error; i++) {
		pm_area_facts(s->image, &space, s->areas.at[i], &s->area);
		error = take_area(s);
	}
	return error;
}

struct process {
	const struct pm_task_entry *tasks;
	size_t n;
};

/* What the kernel counts for the page tables of an address space, as VmPTE in /proc/PID/status. */
static void emit_page_tables(struct snapshot *s, const struct pm_task_entry *task)
{
	char name[64];
	struct pm_counter tables = { name, PM_GET(s->image, task->mm, mm_table_bytes) >> 10 };

	snprintf(name, sizeof(name), "process.%llu.page_tables_kB",
		 (unsigned long long)task->tgid);
	pm_emit_counters(s->out, &tables, 1);
}

/* Writes the task. The VMAs of an address space follow the first task that has it. */
static int take_task(struct snapshot *s, const struct process *process,
		     const struct pm_task_entry *task)
{
	bool has_areas = task->mm && !pm_seen_has(&s->written, task->mm);
	struct pm_task record;

	if (has_areas && s->choice->ram)
		emit_page_tables(s, task);
	pm_task_facts(s->image, task, process->tasks, process->n, &record, &s->names);
	pm_emit_task(s->out, &record);
	s->end->tasks++;
	if (!has_areas)
		return stopped(s);
	return pm_seen_add(&s->written, task->mm, 0) ? take_areas(s, task->mm) : -ENOMEM;
}

static int take_process(struct snapshot *s, const struct process *process)
{
	int error = 0;
	size_t i;

	for (i = 0; i < process->n && !error; i++)
		error = take_task(s, process, &process->tasks[i]);
	return error;
}

/* Whether the process is chosen, by its id or a thread's id. */
static bool is_chosen(const struct pm_choice *choice, const struct process *process)
{
	bool is_chosen = !choice->n_pids;
	size_t i, j;

	for (i = 0; i < process->n; i++) {
		for (j = 0; j < choice->n_pids; j++) {
			if (choice->pids[j] == process->tasks[i].pid) {
				choice->met[j] = true;
				is_chosen = true;
			}
		}
	}
	return is_chosen;
}

static void emit_note(struct snapshot *s, const char *name, __u64 value)
{
	struct pm_counter note = { name, value };

	if (value)
		pm_emit_counters(s->out, &note, 1);
}

static void emit_end(struct snapshot *s)
{
	const struct pm_notes *notes = &s->image->notes;

	emit_note(s, "note.in_transit", notes->in_transit);
	emit_note(s, "markers.guard", notes->markers.guard);
	emit_note(s, "markers.write_protect", notes->markers.write_protect);
	emit_note(s, "note.table_excluded", notes->table_excluded);
	emit_note(s, "note.frame_excluded", notes->frame_excluded);
	emit_note(s, "note.name_excluded", notes->name_excluded);
	emit_note(s, "note.corrupt", notes->corrupt);
	emit_note(s, "note.data_excluded", s->image->memory.missing);
	pm_emit_end(s->out, s->end);
}

static int take_all(struct snapshot *s)
{
	const struct pm_tasks *tasks = &s->tasks;
	size_t begin, end;
	int error = 0;

	for (begin = 0; begin < tasks->n && !error; begin = end) {
		struct process process = { .tasks = &tasks->entries[begin] };

		for (end = begin;
		     end < tasks->n && tasks->entries[end].tgid == process.tasks->tgid; end++)
			process.n++;
		if (is_chosen(s->choice, &process))
			error = take_process(s, &process);
		s->tasks_done = end;
		report_progress(s);
	}
	return !error && !s->end->tasks ? -ESRCH : error;
}

static int stop_ram(void *self)
{
	return stopped(self);
}

int pm_snapshot(struct pm_image *image, const struct pm_choice *choice,
		const struct pm_progress *progress, struct pm_out *out, struct pm_end *end)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	int error;

	if (!s)
		return -ENOMEM;
	*s = (struct snapshot){.image = image,
			       .choice = choice,
			       .out = out,
			       .end = end,
			       .progress = progress};
	memset(end, 0, sizeof(*end));
	memset(&image->notes, 0, sizeof(image->notes));
	image->memory.missing = 0;
	error = pm_find_tasks(image, &s->tasks);
	if (!error) {
		emit_header(s);
		if (choice->ram)
			pm_ram_section_begin(choice->ram, image, out);
		error = take_all(s);
	}
	if (!error && choice->ram)
		error = pm_ram_section_write(choice->ram, image, out, stop_ram, s);
	if (!error) {
		emit_end(s);
		error = pm_out_flush(out);
	}
	pm_free_tasks(&s->tasks);
	pm_free_areas(&s->areas);
	pm_tables_close(&s->tables);
	pm_seen_free(&s->written);
	free(s);
	return error;
}
