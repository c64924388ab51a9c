// SPDX-License-Identifier: GPL-2.0-only
#include "ram_section.h"

#include <linux/rcupdate.h>
#include <linux/vmalloc.h>

#include "emit/ram.h"
#include "frame_walk.h"
#include "kernel/compat_ram.h"
#include "kernel_memory_walk.h"
#include "slab_owner.h"
#include "zones_and_totals.h"

struct pm_ram {
	int (*step)(struct pm_ram *ram);	/* the next step; NULL: complete */
	struct pm_frame_walk walk;
	struct pm_total_samples samples;
	struct pm_out *out;
	int node;		/* where the search for the next node continues */
	bool is_full;		/* there is no memory for more owners */
};

static int step_zones(struct pm_ram *ram);
static int step_kernel_memory(struct pm_ram *ram);
static int step_before(struct pm_ram *ram);
static int step_frames(struct pm_ram *ram);
static int step_samples(struct pm_ram *ram);
static int step_after(struct pm_ram *ram);

static int step_begin(struct pm_ram *ram)
{
	int error = pm_ram_map_make(&ram->walk.map);

	if (error) {
		pm_ram_map_free(&ram->walk.map);
		return error;
	}
	/* Before the totals are read, so that the walk itself takes no memory. */
	pm_known_reserve(&ram->walk.owners.known, 1);
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
	if (!pm_kernel_memory_step(&ram->walk.kernel_memory))
		ram->step = step_before;
	return 0;
}

static int step_before(struct pm_ram *ram)
{
	pm_emit_totals_before(ram->out);
	ram->step = step_frames;
	return 0;
}

static int step_frames(struct pm_ram *ram)
{
	/* A frame has up to two owners. */
	if (!ram->is_full)
		ram->is_full = pm_known_reserve(&ram->walk.owners.known, 2);
	pm_sample_totals(&ram->samples, false);
	if (!pm_frame_walk_step(&ram->walk)) {
		pm_ram_end(&ram->walk.writer);
		ram->step = step_samples;
	}
	return 0;
}

static int step_samples(struct pm_ram *ram)
{
	pm_sample_totals(&ram->samples, true);
	pm_emit_total_samples(ram->out, &ram->samples);
	ram->step = step_after;
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
	emit_note(ram, "note.ram_owner_lost", ram->walk.owners.lost);
	emit_note(ram, "note.ram_kernel_memory_lost", ram->walk.kernel_memory.is_full);
	ram->step = NULL;
	return 0;
}

void pm_ram_note_huge_zero(struct pm_ram *ram, u64 pfn)
{
	ram->walk.huge_zero = pfn;
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
	BUILD_BUG_ON(offsetof(struct pm_ram, walk.copy) + sizeof(ram->walk.copy) > PAGE_SIZE);
	if (!ram)
		return NULL;
	ram->step = step_begin;
	ram->out = out;
	ram->walk.huge_zero = PM_NO_FRAME;
	ram->walk.owners.writer = &ram->walk.writer;
	pm_ram_begin(&ram->walk.writer, out);
	return ram;
}

void pm_ram_free(struct pm_ram *ram)
{
	if (!ram)
		return;
	pm_ram_map_free(&ram->walk.map);
	pm_kernel_memory_free(&ram->walk.kernel_memory);
	pm_known_free(&ram->walk.owners.known);
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
