// SPDX-License-Identifier: MIT
#include "kernel_areas.h"

#include <errno.h>
#include <stdlib.h>

#include "kernel_tables.h"
#include "seen.h"

/* Flags of struct vm_struct: include/linux/vmalloc.h. The memory of other areas has other users. */
#define VM_ALLOC 2u

#define MAX_NODES 4096u		/* vmap_nodes: as many as CPUs, at most 128 */
#define MAX_MODULE_BYTES (1ull << 31)	/* the range of modules on x86 and arm64 */
#define MAX_STACK_CALLERS 16u	/* functions that allocate stacks: one or two per kernel */

struct area {
	__u64 start, end;
	__u64 caller;
	enum pm_ram_class class_;
	enum pm_mark_owner owner;
	__u64 of;
};

struct areas {
	struct pm_image *image;
	struct area *at;
	size_t n, room;
	struct pm_seen seen;
	int error;
};

static struct area *new_area(struct areas *areas)
{
	if (areas->n == areas->room) {
		size_t room = areas->room ? 2 * areas->room : 1024;
		struct area *grown = realloc(areas->at, room * sizeof(*grown));

		if (!grown)
			return NULL;
		areas->at = grown;
		areas->room = room;
	}
	return &areas->at[areas->n++];
}

/* Per-CPU chunks are the only areas of this kind that have no array of pages. */
static void take_area(struct areas *areas, __u64 node)
{
	struct pm_image *image = areas->image;
	__u64 at = node - (__u64)image->layout->vmap_next.offset;
	__u64 vm = PM_GET(image, at, vmap_vm);
	__u64 start = PM_GET(image, at, vmap_start), end = PM_GET(image, at, vmap_end);
	struct area *area;

	if (!vm || start >= end || PM_GET(image, vm, vm_addr) != start ||
	    !(PM_GET(image, vm, vm_flags) & VM_ALLOC))
		return;
	area = new_area(areas);
	if (!area) {
		areas->error = -ENOMEM;
		return;
	}
	*area = (struct area){
		.start = start,
		.end = end,
		.caller = PM_GET(image, vm, vm_caller),
		.class_ = PM_GET(image, vm, vm_pages) ? PM_RAM_VMALLOC : PM_RAM_PERCPU,
		.owner = PM_MARK_CODE,
	};
	area->of = area->caller;
}

static void take_list(struct areas *areas, __u64 head)
{
	struct pm_image *image = areas->image;
	struct pm_field next = { 0, 8 };	/* of a struct list_head */
	__u64 node = pm_get(&image->memory, head, next);

	for (; node && node != head && !areas->error; node = pm_get(&image->memory, node, next)) {
		/* Seen before: the list has a cycle. */
		if (pm_seen_has(&areas->seen, node) || !pm_seen_add(&areas->seen, node, 0))
			break;
		if (pm_is_interrupted(image))
			areas->error = -EINTR;
		take_area(areas, node);
	}
}

/* Since v6.9 (commit d093602919ad) the areas are in several lists. */
static void take_nodes(struct areas *areas)
{
	const struct pm_layout *layout = areas->image->layout;
	struct pm_memory *memory = &areas->image->memory;
	__u64 first = pm_get(memory, layout->at.vmap_nodes, (struct pm_field){ 0, 8 });
	__u64 n = pm_get(memory, layout->at.vmap_nodes_n, (struct pm_field){ 0, 4 });
	__u64 i;

	for (i = 0; first && i < n && i < MAX_NODES && !areas->error; i++)
		take_list(areas, first + i * layout->vmap_node_struct +
					 (__u64)layout->vmap_node_list.offset);
}

static int by_start(const void *a, const void *b)
{
	const struct area *one = a, *other = b;

	return one->start < other->start ? -1 : one->start > other->start;
}

static int find_areas(struct areas *areas)
{
	const struct pm_layout *layout = areas->image->layout;

	if (layout->vmap_next.offset < 0 || layout->vm_caller.offset < 0)
		return 0;
	if (layout->at.vmap_nodes && layout->vmap_node_list.offset >= 0)
		take_nodes(areas);
	else if (layout->at.vmap_list)
		take_list(areas, layout->at.vmap_list);
	pm_seen_free(&areas->seen);
	if (areas->n)
		qsort(areas->at, areas->n, sizeof(*areas->at), by_start);
	return areas->error;
}

/* The area that has the address, or NULL. */
static struct area *area_of(struct areas *areas, __u64 address)
{
	size_t low = 0, high = areas->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (areas->at[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < areas->n && areas->at[low].start <= address ? &areas->at[low] : NULL;
}

struct callers {
	__u64 at[MAX_STACK_CALLERS];
	size_t n;
};

static bool has_caller(const struct callers *callers, __u64 caller)
{
	size_t i;

	for (i = 0; i < callers->n; i++)
		if (callers->at[i] == caller)
			return true;
	return false;
}

/*
 * Stacks of tasks, by their tasks. Areas of the same function without a task are stacks that the
 * kernel keeps for new tasks.
 */
static void find_stacks(struct areas *areas, const struct pm_tasks *tasks)
{
	struct pm_image *image = areas->image;
	struct callers callers = { .n = 0 };
	struct area *area;
	size_t i;

	for (i = 0; i < tasks->n; i++) {
		area = area_of(areas, PM_GET(image, tasks->entries[i].at, task_stack));
		if (!area || area->class_ != PM_RAM_VMALLOC)
			continue;
		if (!has_caller(&callers, area->caller) && callers.n < MAX_STACK_CALLERS)
			callers.at[callers.n++] = area->caller;
		area->class_ = PM_RAM_KERNEL_STACK;
		area->owner = PM_MARK_TASK;
		area->of = tasks->entries[i].at;
	}
	for (i = 0; i < areas->n; i++)
		if (areas->at[i].class_ == PM_RAM_VMALLOC &&
		    has_caller(&callers, areas->at[i].caller))
			areas->at[i].class_ = PM_RAM_KERNEL_STACK;
}

/* Adds a part of a module. Since v6.13 (commit 5185e7f9f3bd) several may share an area. */
static void take_part(struct areas *modules, __u64 module, __u64 start, __u64 bytes)
{
	struct area *part;

	if (!start || !bytes || bytes > MAX_MODULE_BYTES)
		return;
	part = new_area(modules);
	if (!part) {
		modules->error = -ENOMEM;
		return;
	}
	*part = (struct area){
		.start = start,
		.end = start + bytes,
		.class_ = PM_RAM_MODULE,
		.owner = PM_MARK_MODULE,
		.of = module,
	};
}

/* Since v6.4 (commit ac3b43283923) a module has several parts. */
static void take_module(struct areas *modules, __u64 module)
{
	struct pm_image *image = modules->image;
	const struct pm_layout *layout = image->layout;
	size_t size = layout->module_part_struct, i;

	if (layout->module_parts.offset < 0 || !size) {
		take_part(modules, module, PM_GET(image, module, module_core),
			  PM_GET(image, module, module_core_bytes));
		return;
	}
	for (i = 0; (i + 1) * size <= (size_t)layout->module_parts.size; i++) {
		__u64 at = module + (__u64)layout->module_parts.offset + i * size;

		take_part(modules, module, PM_GET(image, at, module_part_base),
			  PM_GET(image, at, module_part_bytes));
	}
}

static int find_modules(struct areas *modules)
{
	struct pm_image *image = modules->image;
	struct pm_field next = image->layout->module_next;
	__u64 head = image->layout->at.modules;
	__u64 node = head && next.offset >= 0 ?
			     pm_get(&image->memory, head, (struct pm_field){ 0, 8 }) : 0;

	while (node && node != head && !modules->error && !pm_seen_has(&modules->seen, node) &&
	       pm_seen_add(&modules->seen, node, 0)) {
		take_module(modules, node - (__u64)next.offset);
		node = PM_GET(image, node - (__u64)next.offset, module_next);
	}
	pm_seen_free(&modules->seen);
	if (modules->n)
		qsort(modules->at, modules->n, sizeof(*modules->at), by_start);
	return modules->error;
}

/* Functions of modules may have no names. Then the module is the owner. */
static void name_callers(struct areas *areas, struct areas *modules)
{
	const struct pm_dump *dump = areas->image->memory.dump;
	struct area *area, *module;
	char name[256];
	size_t i;

	for (i = 0; i < areas->n; i++) {
		area = &areas->at[i];
		if (area->owner != PM_MARK_CODE ||
		    (dump->name_of && dump->name_of(dump->self, area->of, name, sizeof(name))))
			continue;
		module = area_of(modules, area->of);
		if (module) {
			area->owner = PM_MARK_MODULE;
			area->of = module->of;
		}
	}
}

struct marking {
	struct pm_marks *marks;
	struct pm_mark mark;
	bool is_full;
};

static bool mark_frames(void *self, __u64 pfn, __u64 pages)
{
	struct marking *marking = self;
	__u64 i;

	for (i = 0; i < pages && !marking->is_full; i++) {
		marking->mark.pfn = pfn + i;
		marking->is_full = !pm_marks_add(marking->marks, &marking->mark);
	}
	return !marking->is_full;
}

static bool mark_table(void *self, __u64 pfn)
{
	return mark_frames(self, pfn, 1);
}

/* A walk that the marks ended has no memory. */
static int result_of(int error)
{
	return error == -ECANCELED ? -ENOMEM : error;
}

static int mark_area(struct pm_image *image, const struct area *area, struct pm_marks *marks)
{
	struct marking marking = {
		.marks = marks,
		.mark = { .of = area->of, .class_ = (__u8)area->class_,
			  .owner = (__u8)area->owner },
	};
	struct pm_table_visitor visitor = { .leaf = mark_frames, .self = &marking };

	return result_of(pm_visit_tables(image, image->kernel_tables, area->start, area->end,
					 &visitor));
}

static int mark_all(struct areas *areas, struct pm_marks *marks)
{
	size_t i;
	int error = 0;

	for (i = 0; i < areas->n && !error; i++)
		error = mark_area(areas->image, &areas->at[i], marks);
	return error;
}

int pm_mark_kernel_areas(struct pm_image *image, const struct pm_tasks *tasks,
			 struct pm_marks *marks)
{
	struct areas areas = { .image = image }, modules = { .image = image };
	int error = find_areas(&areas);

	if (!error)
		error = find_modules(&modules);
	if (!error) {
		find_stacks(&areas, tasks);
		name_callers(&areas, &modules);
		error = mark_all(&areas, marks);
	}
	if (!error)
		error = mark_all(&modules, marks);
	free(areas.at);
	free(modules.at);
	return error;
}

/*
 * A process has a second top-level table for user mode where the kernel is hidden from it (PTI on
 * x86): the other half of a block of two pages.
 */
static bool mark_top_tables(struct marking *marking, __u64 pfn)
{
	bool has_place = mark_table(marking, pfn);

	if (pfn & 1 || !has_place)
		return has_place;
	marking->mark.is_tail = true;
	has_place = mark_table(marking, pfn + 1);
	marking->mark.is_tail = false;
	return has_place;
}

/* Those of the two lowest levels have a type in their struct pages. */
static int mark_upper_tables(struct pm_image *image, __u64 mm, struct marking *marking)
{
	struct pm_table_visitor visitor = { .lowest = 3, .table = mark_table, .self = marking };
	__u64 top = PM_GET(image, mm, mm_pgd), physical;

	if (!top || pm_translate(image, top, &physical) != PM_FOUND)
		return 0;
	if (!mark_top_tables(marking, physical >> image->tables.shift[0]))
		return -ENOMEM;
	return pm_visit_tables(image, top, 0, image->tables.user_end, &visitor);
}

int pm_mark_tables(struct pm_image *image, const struct pm_tasks *tasks, struct pm_marks *marks)
{
	struct marking marking = { .marks = marks, .mark = { .class_ = PM_RAM_PGTABLE } };
	struct pm_table_visitor visitor = { .lowest = 1, .table = mark_table, .self = &marking };
	__u64 last_mm = 0;
	size_t i;
	int error = pm_visit_tables(image, image->kernel_tables, 0, ~(__u64)0, &visitor);

	for (i = 0; i < tasks->n && !error; i++) {
		__u64 mm = tasks->entries[i].mm;

		if (mm && mm != last_mm)
			error = mark_upper_tables(image, mm, &marking);
		last_mm = mm;
	}
	return result_of(error);
}
