// SPDX-License-Identifier: GPL-2.0-only
#include "snapshot.h"

#include <linux/sched/signal.h>
#include <linux/timekeeping.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include "boot_id.h"
#include "counters.h"
#include "emit/flags.h"
#include "kernel/compat_tables.h"
#include "kernel/page_facts.h"
#include "ram/ram_section.h"
#include "ram/zones_and_totals.h"
#include "task_walk.h"
#include "vma_walk.h"

/*
 * A short VMA has the longest text of one step: a path of PATH_MAX bytes, all escaped (4
 * characters each), and PM_STEP records of at most 80 characters. The rest is for its other fields,
 * and for the piece that the emitter requires to be free. A T: line has a name of TASK_COMM_LEN
 * bytes and 13 numbers of at most 20 digits.
 */
#define PM_TEXT_BYTES 65536
#define PM_MAX_STEP_BYTES (4 * PATH_MAX + PM_STEP * 80 + 512)
#define PM_MAX_THREAD_BYTES 384
#define PM_THREADS 128

enum pm_repeat pm_repeat_areas;

typedef int (*step_fn)(struct pm_snapshot *);

struct pm_snapshot {
	step_fn step;			/* the next step; NULL: complete */
	struct pm_out out;

	struct pm_task_walk walk;
	struct pm_process process;
	bool areas_due;			/* VMAs follow the next task with this mm */
	pid_t thread;			/* the last one whose T: line was written */
	unsigned long va;		/* where the search for the next VMA or page continues */
	struct pm_page_counts counts;	/* of the VMA, in the first pass */
	struct pm_page_counts listed;	/* of the VMA's written records */

	struct pm_end totals;
	u64 task_exited, in_transit, area_changed;	/* notes */
	struct pm_markers markers;
	struct pm_ram *ram;			/* the whole of RAM; NULL: not part of it */
	int next_node;			/* where the search for the next node continues */

	struct pm_task_names names;
	pid_t threads[PM_THREADS];
	struct pm_area area;
	struct pm_stretch found;
	char text[PM_TEXT_BYTES];
};

static int step_header(struct pm_snapshot *s);
static int step_places(struct pm_snapshot *s);
static int step_process(struct pm_snapshot *s);
static int step_area(struct pm_snapshot *s);
static int step_count(struct pm_snapshot *s);
static int step_pages(struct pm_snapshot *s);
static int step_swapped(struct pm_snapshot *s);
static int step_threads(struct pm_snapshot *s);
static int step_ram(struct pm_snapshot *s);
static int step_end(struct pm_snapshot *s);

static int step_header(struct pm_snapshot *s)
{
	struct pm_header header = {
		.arch = utsname()->machine,
		.kernel = utsname()->release,
		.collector = "kmod",
		.pte = "raw",
		.prot = "raw",
		.count = pm_count_kind(),
		.pages = "all",
		.pfn = "shown",
		.page_size = PAGE_SIZE,
		.time_ns = ktime_get_real_ns(),
		.uptime_ns = s->walk.began,
		.hz = USER_HZ,
		.ram_pages = totalram_pages(),
		.phys_mask = pm_phys_mask(),
		.ram = s->ram ? "all" : NULL,
		.ram_by = s->ram ? "kmod" : NULL,
		.host = utsname()->nodename,
		.boot_id = pm_boot_id(),
	};

	pm_emit_header(&s->out, &header);
	pm_emit_system_counters(&s->out);
	s->step = s->ram ? step_places : step_process;
	return 0;
}

static int step_places(struct pm_snapshot *s)
{
	if (!pm_emit_places(&s->out, &s->next_node))
		s->step = step_process;
	return 0;
}

static bool repeats(const struct pm_snapshot *s)
{
	return pm_repeat_areas == PM_ONCE_A_TASK && s->process.mm;
}

/*
 * Writes the task and schedules the VMAs if they are due. They follow the first task that has the
 * address space, because a leader may have exited before its threads.
 */
static void emit_task(struct pm_snapshot *s, struct task_struct *task)
{
	struct pm_task record;

	if (!task) {
		s->task_exited++;
		return;
	}
	pm_task_facts(task, &s->process, &record, &s->names);
	put_task_struct(task);
	pm_emit_task(&s->out, &record);
	s->totals.tasks++;
	if (record.mm && (s->areas_due || repeats(s))) {
		s->areas_due = false;
		s->va = 0;
		s->step = step_area;
	}
}

/* What the kernel counts for the page tables of the process, as VmPTE in /proc/PID/status. */
static void emit_page_tables(struct pm_snapshot *s)
{
	char name[48];
	struct pm_counter tables = { name, mm_pgtables_bytes(s->process.mm) >> 10 };

	snprintf(name, sizeof(name), "process.%d.page_tables_kB",
		 s->process.tgid);
	pm_emit_counters(&s->out, &tables, 1);
}

static int step_process(struct pm_snapshot *s)
{
	struct pm_counter now = { "at.uptime_ns", ktime_get_boottime_ns() };

	if (!pm_next_process(&s->walk, &s->process)) {
		s->step = s->ram ? step_ram : step_end;
		return 0;
	}
	if (s->ram && s->process.has_areas)
		emit_page_tables(s);
	pm_emit_counters(&s->out, &now, 1);
	s->thread = 0;
	s->areas_due = s->process.has_areas;
	s->step = step_threads;
	emit_task(s, pm_leader(&s->process));
	return 0;
}

static void tally(struct pm_snapshot *s, struct pm_page_counts *counts)
{
	const struct pm_stretch *found = &s->found;
	size_t i;

	for (i = 0; i < found->n_pages; i++) {
		counts->single_use += found->pages[i].count == 1;
		counts->shared += found->pages[i].count > 1;
	}
	counts->user += found->n_pages;
	counts->swapped += found->n_swapped;
}

/* Anonymous memory maps no other page without a mapping. */
static void find_huge_zero(struct pm_snapshot *s)
{
	const __u64 flags = PM_PAGE_THP | PM_PAGE_ZERO_PAGE;
	const struct pm_page *page = s->found.pages, *end = page + s->found.n_pages;
	u64 pfn;

	if (!s->ram || !s->area.is_anonymous)
		return;
	for (; page < end; page++)
		if ((page->flags & flags) == flags) {
			pfn = (page->pte & pm_frame_bits()) >> PAGE_SHIFT;
			pm_ram_note_huge_zero(s->ram, round_down(pfn, PMD_SIZE / PAGE_SIZE));
			return;
		}
}

/*
 * Executable and read-only counts follow from the VMA's permissions (formats/physmem-records.md,
 * P:).
 */
static void emit_counts(struct pm_snapshot *s, struct pm_page_counts *counts)
{
	counts->executable = s->area.record.flags & PM_VMA_EXEC ? counts->user : 0;
	counts->read_only = s->area.record.flags & PM_VMA_WRITE ? 0 : counts->user;
	pm_emit_page_counts(&s->out, counts);
}

static void emit_area(struct pm_snapshot *s)
{
	s->area.record.resident = s->counts.user * PAGE_SIZE;
	pm_emit_vma(&s->out, &s->area.record);
	emit_counts(s, &s->counts);
	s->totals.areas++;
}

static bool has_changed(const struct pm_page_counts *counted, const struct pm_page_counts *listed)
{
	return counted->user != listed->user || counted->single_use != listed->single_use ||
	       counted->shared != listed->shared || counted->swapped != listed->swapped;
}

static void end_area(struct pm_snapshot *s)
{
	if (has_changed(&s->counts, &s->listed)) {
		emit_counts(s, &s->listed);
		s->area_changed++;
	}
	s->totals.pages += s->listed.user;
	s->totals.swapped += s->listed.swapped;
	s->va = s->area.end;
	s->step = step_area;
}

/* Counts the entries of a step that are neither pages nor in swap. */
static void tally_absent(struct pm_snapshot *s)
{
	s->in_transit += s->found.in_transit;
	s->markers.guard += s->found.markers.guard;
	s->markers.write_protect += s->found.markers.write_protect;
}

/* Writes all records of a short VMA, which was read in one step. */
static void emit_short_area(struct pm_snapshot *s)
{
	emit_area(s);
	find_huge_zero(s);
	if (s->found.n_pages) {
		pm_emit_pages_begin(&s->out);
		pm_emit_pages(&s->out, s->found.pages, s->found.n_pages);
		pm_emit_pages_end(&s->out);
	}
	if (s->found.n_swapped) {
		pm_emit_swapped_begin(&s->out);
		pm_emit_swapped(&s->out, s->found.swapped, s->found.n_swapped);
		pm_emit_swapped_end(&s->out);
	}
	s->listed = s->counts;
	end_area(s);
}

static int step_area(struct pm_snapshot *s)
{
	unsigned long reached;
	int error = pm_find_area(s->process.mm, s->va, &s->area, &s->found, &reached);

	if (error == -EINTR)
		return error;
	if (error) {
		s->task_exited += error == -ESRCH;
		s->step = step_threads;
		return 0;
	}
	pm_name_area(&s->area);
	memset(&s->counts, 0, sizeof(s->counts));
	memset(&s->listed, 0, sizeof(s->listed));
	tally(s, &s->counts);
	tally_absent(s);
	if (s->found.is_guarded)
		s->area.record.flags |= PM_VMA_GUARDED;
	if (reached >= s->area.end && s->area.end - s->area.start <= PM_STEP * PAGE_SIZE) {
		emit_short_area(s);
	} else {
		s->va = reached;
		s->step = step_count;
	}
	return 0;
}

/* One more step through the VMA. If its address space is gone, the rest of it is empty. */
static int walk_on(struct pm_snapshot *s, enum pm_walk_kind kind)
{
	int error = pm_walk_area(s->process.mm, &s->area, kind, &s->found, &s->va);

	if (error == -ESRCH) {
		pm_clear_stretch(&s->found);
		s->va = s->area.end;
		error = 0;
	}
	return error;
}

/* Selects the next step after the counts, or the pages, of a long VMA. */
static void next_list(struct pm_snapshot *s, bool has_pages)
{
	s->va = s->area.start;
	if (has_pages) {
		pm_emit_pages_begin(&s->out);
		s->step = step_pages;
	} else if (s->counts.swapped) {
		pm_emit_swapped_begin(&s->out);
		s->step = step_swapped;
	} else {
		end_area(s);
	}
}

static int step_count(struct pm_snapshot *s)
{
	if (s->va < s->area.end) {
		int error = walk_on(s, PM_WALK_COUNTS);

		if (error)
			return error;
		tally(s, &s->counts);
		tally_absent(s);
	}
	if (s->va >= s->area.end) {
		emit_area(s);
		next_list(s, s->counts.user);
	}
	return 0;
}

static int step_pages(struct pm_snapshot *s)
{
	int error = walk_on(s, PM_WALK_PAGES);

	if (error)
		return error;
	/* Swapped pages are listed and counted in a separate pass. */
	s->found.n_swapped = 0;
	tally(s, &s->listed);
	find_huge_zero(s);
	pm_emit_pages(&s->out, s->found.pages, s->found.n_pages);
	if (s->va >= s->area.end) {
		pm_emit_pages_end(&s->out);
		next_list(s, false);
	}
	return 0;
}

static int step_swapped(struct pm_snapshot *s)
{
	int error = walk_on(s, PM_WALK_SWAPPED);

	if (error)
		return error;
	tally(s, &s->listed);
	pm_emit_swapped(&s->out, s->found.swapped, s->found.n_swapped);
	if (s->va >= s->area.end) {
		pm_emit_swapped_end(&s->out);
		end_area(s);
	}
	return 0;
}

/* Writes T: lines for a batch of threads; one at a time while VMAs may have to follow. */
static int step_threads(struct pm_snapshot *s)
{
	size_t room = s->areas_due || repeats(s) ? 1 : PM_THREADS;
	size_t n = pm_thread_ids(&s->process, s->thread, s->threads, room);
	size_t i;

	for (i = 0; i < n; i++) {
		s->thread = s->threads[i];
		emit_task(s, pm_thread(&s->process, s->thread));
	}
	if (n == 0) {
		pm_release_process(&s->walk, &s->process, !s->areas_due);
		s->step = step_process;
	}
	return 0;
}

static void emit_note(struct pm_snapshot *s, const char *name, u64 value)
{
	struct pm_counter note = { name, value };

	if (value)
		pm_emit_counters(&s->out, &note, 1);
}

static int step_ram(struct pm_snapshot *s)
{
	int error = pm_ram_step(s->ram);

	if (pm_ram_is_done(s->ram))
		s->step = step_end;
	return error;
}

static int step_end(struct pm_snapshot *s)
{
	emit_note(s, "note.task_exited", s->task_exited);
	emit_note(s, "note.in_transit", s->in_transit);
	emit_note(s, "markers.guard", s->markers.guard);
	emit_note(s, "markers.write_protect", s->markers.write_protect);
	emit_note(s, "note.area_changed", s->area_changed);
	pm_emit_end(&s->out, &s->totals);
	s->step = NULL;
	return 0;
}

/*
 * Never called, because there is always room for the longest step. If it were, the error would be
 * reported instead of losing text silently.
 */
static int refuse(void *to, const char *text, size_t len)
{
	return -EOVERFLOW;
}

int pm_snapshot_next(struct pm_snapshot *s, const char **text, size_t *bytes)
{
	int error = 0;

	s->out.used = 0;
	while (!error && s->step && s->out.used <= PM_TEXT_BYTES - PM_MAX_STEP_BYTES) {
		error = signal_pending(current) ? -ERESTARTSYS : s->step(s);
		cond_resched();
	}
	if (WARN_ON_ONCE(s->out.error))
		return s->out.error;
	*text = s->text;
	*bytes = s->out.used;
	return *bytes ? 0 : error;
}

struct pm_snapshot *pm_snapshot_new(bool has_ram)
{
	struct pm_snapshot *s;

	BUILD_BUG_ON(sizeof(*s) > PM_SNAPSHOT_BYTES);
	BUILD_BUG_ON(PM_MAX_STEP_BYTES > PM_TEXT_BYTES);
	BUILD_BUG_ON(PM_MAX_RAM_BYTES > PM_MAX_STEP_BYTES);
	BUILD_BUG_ON(PM_THREADS * PM_MAX_THREAD_BYTES > PM_MAX_STEP_BYTES);
	/* Allocates whole pages; kmalloc() would round up to a power of two. */
	s = __vmalloc(sizeof(*s), GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!s)
		return NULL;
	s->step = step_header;
	s->walk.began = ktime_get_boottime_ns();
	s->out.buf = s->text;
	s->out.size = sizeof(s->text);
	s->out.flush = refuse;
	s->ram = has_ram ? pm_ram_new(&s->out) : NULL;
	if (has_ram && !s->ram) {
		vfree(s);
		return NULL;
	}
	return s;
}

void pm_snapshot_free(struct pm_snapshot *s)
{
	if (s->process.pid)
		pm_release_process(&s->walk, &s->process, !s->areas_due);
	pm_task_walk_end(&s->walk);
	pm_ram_free(s->ram);
	vfree(s);
}
