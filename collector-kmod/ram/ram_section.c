// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames are read without references. Each step is one RCU section, in which everything that a
 * struct page points to stays allocated: see file_owner.c and cgroup_owner.c. Struct pages exist
 * as long as their memory is online, see memory_offline().
 */
#include "ram_section.h"

#include <linux/rcupdate.h>
#include <linux/vmalloc.h>

#include "emit/ram.h"
#include "frame_class.h"
#include "kernel/compat_ram.h"
#include "kernel_memory.h"
#include "owners.h"
#include "ram_map.h"
#include "slab_owner.h"
#include "zones_and_totals.h"

/* No frame. */
#define NONE (~0ull)

struct pm_ram {
	int (*step)(struct pm_ram *ram);	/* the next step; NULL: complete */
	struct pm_page_copy copy;
	struct pm_ram_facts facts;		/* of the last frame */
	struct pm_out *out;
	struct pm_ram_writer writer;
	struct pm_ram_map map;
	int node;		/* where the search for the next node continues */
	size_t span;		/* in map */
	u64 next;		/* the next frame */
	u64 online_end;		/* frames from next to here are online, in this RCU section */
	u64 listed;		/* last frame in a processor's list, if only unused ones follow */
	bool is_full;		/* there is no memory for more owners */
	struct pm_kernel_memory kernel_memory;
	struct pm_owners owners;
};

static int step_zones(struct pm_ram *ram);
static int step_kernel_memory(struct pm_ram *ram);
static int step_before(struct pm_ram *ram);
static int step_frames(struct pm_ram *ram);
static int step_after(struct pm_ram *ram);

static int step_begin(struct pm_ram *ram)
{
	int error = pm_ram_map_make(&ram->map);

	if (error) {
		pm_ram_map_free(&ram->map);
		return error;
	}
	/* Before the totals are read, so that the walk itself takes no memory. */
	pm_known_reserve(&ram->owners.known, 1);
	ram->step = step_zones;
	return 0;
}

static int step_zones(struct pm_ram *ram)
{
	if (!pm_emit_zones(ram->out, &ram->node))
		ram->step = step_kernel_memory;
	return 0;
}

static int step_kernel_memory(struct pm_ram *ram)
{
	if (!pm_kernel_memory_step(&ram->kernel_memory))
		ram->step = step_before;
	return 0;
}

static int step_before(struct pm_ram *ram)
{
	pm_emit_totals_before(ram->out);
	ram->step = step_frames;
	return 0;
}

/* Frames that have no facts but their class. */
static void put_class(struct pm_ram *ram, u64 end, enum pm_ram_class class_)
{
	struct pm_ram_run run = {
		.first_pfn = ram->next,
		.pages = end - ram->next,
		.class_ = class_,
	};

	pm_ram_put_run(&ram->writer, &run);
	ram->next = end;
}

/*
 * Whether the frame belongs to a free block of which only the first frame is in a processor's list.
 * They have orders up to 3, and since v5.13 (44042b449872) those of huge pages.
 */
static bool is_in_listed_block(const struct pm_ram *ram)
{
	static const unsigned char orders[] = { 1, 2, 3, 9 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(orders) && ram->listed != NONE; i++) {
		u64 frames = 1ull << orders[i];

		if (!(ram->listed & (frames - 1)) && ram->next - ram->listed < frames)
			return true;
	}
	return false;
}

/* The other unused frames are parts of blocks in use that are no folios. */
static void find_listed_blocks(struct pm_ram *ram, struct pm_ram_facts *facts)
{
	if (!facts->is_unused)
		ram->listed = NONE;
	else if (facts->class_ == PM_RAM_FREE_PERCPU)
		ram->listed = ram->next;
	else if (is_in_listed_block(ram))
		facts->class_ = PM_RAM_FREE_PERCPU;
}

/* Frames whose struct page says nothing, but where the kernel maps them. */
static void find_kernel_use(struct pm_ram *ram, struct pm_ram_run *run)
{
	struct pm_kernel_use use;

	if (!pm_kernel_use_of(&ram->kernel_memory, run->first_pfn, &use) ||
	    (use.is_tail && !ram->facts.is_unused))
		return;
	run->class_ = use.class_;
	if (use.pid)
		run->owner = pm_task_owner(&ram->owners, use.pid, run->first_pfn);
}

static void put_frame(struct pm_ram *ram, struct page *page, u64 end)
{
	struct pm_ram_facts *facts = &ram->facts;
	struct pm_ram_run run = { .first_pfn = ram->next };

	pm_frame_facts(page, &ram->copy, facts);
	find_listed_blocks(ram, facts);
	run.pages = min_t(u64, facts->pages, end - ram->next);
	run.class_ = facts->class_;
	run.flags = facts->flags;
	run.count = facts->count;
	run.place = facts->place;
	if (facts->class_ == PM_RAM_UNMARKED)
		find_kernel_use(ram, &run);
	else if (facts->class_ == PM_RAM_RESERVED)
		run.class_ = pm_reserved_class(&ram->map, ram->next);
	if (facts->mapping) {
		run.owner = pm_file_owner(&ram->owners, facts->mapping, &run.class_);
		run.place = run.owner ? facts->place : 0;
	} else if (facts->class_ == PM_RAM_SLAB) {
		run.owner = pm_slab_owner(&ram->owners, page, &ram->copy);
	}
	run.cgroup = pm_cgroup_owner(&ram->owners, facts->charge);
	pm_ram_put_run(&ram->writer, &run);
	ram->next += run.pages;
}

/* Asks once for the frames that are online together. */
static struct page *online_page(struct pm_ram *ram)
{
	struct page *page;

	if (ram->next < ram->online_end)
		return pfn_to_page(ram->next);
	page = pfn_to_online_page(ram->next);
	if (page)
		ram->online_end = round_up(ram->next + 1, PM_FRAMES_ONLINE);
	return page;
}

/* One frame or block, or what lies before the next span. */
static void walk_on(struct pm_ram *ram)
{
	const struct pm_ram_span *span = &ram->map.spans[ram->span];
	struct page *page;

	if (ram->next < span->begin) {
		put_class(ram, span->begin, PM_RAM_HOLE);
		return;
	}
	if (ram->next == span->begin)
		ram->listed = NONE;
	page = online_page(ram);
	if (page)
		put_frame(ram, page, span->end);
	else
		put_class(ram, ram->next + 1, PM_RAM_OFFLINE);
	ram->span += ram->next == span->end;
}

/* A new owner ends the step, so that there is room for the text of the next one. */
static void walk_step(struct pm_ram *ram)
{
	u64 last_id = ram->owners.last_id;
	int left;

	rcu_read_lock();
	pm_owners_renew(&ram->owners);
	pm_copy_renew(&ram->copy);
	ram->online_end = 0;
	for (left = PM_RAM_STEP; left && ram->span < ram->map.n; left--) {
		walk_on(ram);
		if (ram->owners.last_id != last_id)
			break;
	}
	rcu_read_unlock();
}

static int step_frames(struct pm_ram *ram)
{
	/* A frame has up to two owners. */
	if (!ram->is_full)
		ram->is_full = pm_known_reserve(&ram->owners.known, 2);
	walk_step(ram);
	if (ram->span == ram->map.n) {
		pm_ram_end(&ram->writer);
		ram->step = step_after;
	}
	return 0;
}

static void emit_note(struct pm_ram *ram, const char *name, u64 value)
{
	struct pm_counter note = { name, value };

	if (value)
		pm_emit_counters(ram->out, &note, 1);
}

static int step_after(struct pm_ram *ram)
{
	pm_emit_totals_after(ram->out);
	emit_note(ram, "note.ram_owner_lost", ram->owners.lost);
	emit_note(ram, "note.ram_kernel_memory_lost", ram->kernel_memory.is_full);
	ram->step = NULL;
	return 0;
}

int pm_ram_step(struct pm_ram *ram)
{
	return ram->step(ram);
}

bool pm_ram_is_done(const struct pm_ram *ram)
{
	return !ram->step;
}

struct pm_ram *pm_ram_new(struct pm_out *out)
{
	struct pm_ram *ram = __vmalloc(sizeof(*ram), GFP_KERNEL_ACCOUNT | __GFP_ZERO);

	/* See struct pm_page_copy; ram begins at a page. */
	BUILD_BUG_ON(offsetof(struct pm_ram, copy) + sizeof(ram->copy) > PAGE_SIZE);
	if (!ram)
		return NULL;
	ram->step = step_begin;
	ram->out = out;
	ram->owners.writer = &ram->writer;
	pm_ram_begin(&ram->writer, out);
	return ram;
}

void pm_ram_free(struct pm_ram *ram)
{
	if (!ram)
		return;
	pm_ram_map_free(&ram->map);
	pm_kernel_memory_free(&ram->kernel_memory);
	pm_known_free(&ram->owners.known);
	vfree(ram);
}

/*
 * Memory is offline when this is called, so steps that begin later get no struct page of it.
 * get_online_mems(), which would keep memory online, is not exported. Waiting for the steps that
 * are in progress makes sure that none uses a struct page when the memory is removed, which
 * happens after the last notifier.
 */
static int memory_offline(struct notifier_block *block, unsigned long action, void *data)
{
	if (action == MEM_OFFLINE)
		synchronize_rcu();
	return NOTIFY_OK;
}

static struct notifier_block memory_notifier = {
	.notifier_call = memory_offline,
};

int pm_ram_init(void)
{
	pm_kernel_parts_find();
	pm_slab_places_find();
	return register_memory_notifier(&memory_notifier);
}

void pm_ram_exit(void)
{
	unregister_memory_notifier(&memory_notifier);
}
