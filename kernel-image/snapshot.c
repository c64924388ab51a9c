// SPDX-License-Identifier: MIT
#include "snapshot.h"

#include <errno.h>
#include <stdlib.h>

#include "process_walk.h"

#define NS_A_SECOND 1000000000ull

struct snapshot {
	struct pm_image *image;
	const struct pm_choice *choice;
	struct pm_out *out;
	struct pm_end *end;
	const struct pm_progress *progress;
	size_t tasks_done;

	struct pm_tasks tasks;
	struct pm_process_walk *walk;
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

static void report_progress(const struct snapshot *s)
{
	if (s->progress->report)
		s->progress->report(s->progress->to, s->tasks_done, s->tasks.n, s->end->pages);
}

static int stopped(void *self)
{
	const struct snapshot *s = self;

	report_progress(s);
	return s->out->error ? s->out->error : pm_is_interrupted(s->image) ? -EINTR : 0;
}

/* Whether the process is chosen, by its id or a thread's id. */
static bool is_chosen(const struct pm_choice *choice, const struct pm_process *process)
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

static void emit_end(struct snapshot *s)
{
	struct pm_counter missing = { "note.data_excluded", s->image->memory.missing };

	pm_emit_notes(s->out, &s->image->notes);
	if (missing.value)
		pm_emit_counters(s->out, &missing, 1);
	pm_emit_end(s->out, s->end);
}

static int take_all(struct snapshot *s)
{
	const struct pm_tasks *tasks = &s->tasks;
	size_t begin;
	int error = 0;

	for (begin = 0; begin < tasks->n && !error; begin = s->tasks_done) {
		struct pm_process process = pm_process_at(tasks, begin);

		if (is_chosen(s->choice, &process))
			error = pm_write_process(s->walk, &process);
		s->tasks_done = begin + process.n;
		report_progress(s);
	}
	return !error && !s->end->tasks ? -ESRCH : error;
}

static int open_walk(struct snapshot *s)
{
	struct pm_process_options options = {
		.out = s->out,
		.end = s->end,
		.without_pages = s->choice->without_pages,
		.with_tables = s->choice->ram,
		.stopped = stopped,
		.self = s,
	};

	return pm_process_walk_open(&s->walk, s->image, &options);
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
	error = open_walk(s);
	if (!error)
		error = pm_find_tasks(image, &s->tasks);
	if (!error) {
		emit_header(s);
		if (choice->ram)
			pm_ram_section_begin(choice->ram, image, out);
		error = take_all(s);
	}
	if (!error && choice->ram)
		error = pm_ram_section_write(choice->ram, image, out, stopped, s);
	if (!error) {
		emit_end(s);
		error = pm_out_flush(out);
	}
	pm_free_tasks(&s->tasks);
	pm_process_walk_close(s->walk);
	free(s);
	return error;
}
