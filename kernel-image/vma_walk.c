// SPDX-License-Identifier: MIT
#include "vma_walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "emit/flags.h"
#include "file_swap.h"
#include "seen.h"

/* include/linux/mm.h; the same since v2.6. */
#define VM_READ 0x1u
#define VM_WRITE 0x2u
#define VM_EXEC 0x4u
#define VM_MAYSHARE 0x80u
#define VM_GROWSDOWN 0x100u
#define VM_PFNMAP 0x400u
#define VM_HUGETLB 0x400000u

/* lib/maple_tree.c */
#define MAPLE_DEEPEST 31
#define MAPLE_WIDEST 64
#define MAPLE_NODE_BITS 0xffu

struct walk {
	struct pm_image *image;
	struct pm_areas *areas;
	struct pm_seen seen;
	int error;
};

struct maple_node {
	bool is_leaf;
	size_t length;
	__u64 pivots[MAPLE_WIDEST], slots[MAPLE_WIDEST];
};

static void take_area(struct walk *walk, __u64 at)
{
	struct pm_areas *areas = walk->areas;

	if (areas->n == PM_MAX_AREAS) {
		walk->image->notes.corrupt++;
		return;
	}
	if (areas->n == areas->room) {
		size_t room = areas->room ? 2 * areas->room : 256;
		__u64 *grown = realloc(areas->at, room * sizeof(*grown));

		if (!grown) {
			walk->error = -ENOMEM;
			return;
		}
		areas->at = grown;
		areas->room = room;
	}
	areas->at[areas->n++] = at;
}

/* Drops VMAs that are implausible or below the previous one. They count as corrupt. */
static void check_areas(struct pm_image *image, struct pm_areas *areas)
{
	__u64 last_end = 0;
	size_t found = areas->n, i;

	for (i = areas->n = 0; i < found; i++) {
		__u64 start = PM_GET(image, areas->at[i], vma_start);
		__u64 end = PM_GET(image, areas->at[i], vma_end);

		if (start >= end || start < last_end || end > image->tables.user_end ||
		    (start | end) % image->memory.dump->page_size) {
			image->notes.corrupt++;
			continue;
		}
		areas->at[areas->n++] = areas->at[i];
		last_end = end;
	}
}

/* Bytes at the beginning of these objects that have all members that are read, in most kernels. */
#define AREA_BYTES 256u
#define FILE_BYTES 192u
#define INODE_BYTES 128u
#define MAPPING_BYTES 16u

#define FILES 256u	/* that are read together */

/* Reads the files of VMAs together. */
static void prefetch_files(struct pm_image *image, const __u64 *areas, size_t n)
{
	__u64 files[FILES] = { 0 }, at[FILES] = { 0 };
	size_t i;

	for (i = 0; i < n; i++)
		files[i] = PM_GET(image, areas[i], vma_file);
	pm_prefetch(&image->memory, files, n, FILE_BYTES);
	for (i = 0; i < n; i++)
		at[i] = files[i] ? PM_GET(image, files[i], file_inode) : 0;
	pm_prefetch(&image->memory, at, n, INODE_BYTES);
	for (i = 0; i < n; i++)
		at[i] = files[i] ? PM_GET(image, files[i], file_mapping) : 0;
	pm_prefetch(&image->memory, at, n, MAPPING_BYTES);
}

static void prefetch_areas(struct pm_image *image, const struct pm_areas *areas)
{
	size_t i;

	if (!image->memory.dump->read_list)
		return;
	pm_prefetch(&image->memory, areas->at, areas->n, AREA_BYTES);
	for (i = 0; i < areas->n; i += FILES)
		prefetch_files(image, areas->at + i, areas->n - i < FILES ? areas->n - i : FILES);
}

static void prefetch_nodes(struct pm_image *image, const struct maple_node *node)
{
	__u64 at[MAPLE_WIDEST];
	size_t i;

	for (i = 0; i < node->length; i++)
		at[i] = node->slots[i] & ~(__u64)MAPLE_NODE_BITS;
	pm_prefetch(&image->memory, at, node->length, MAPLE_NODE_BITS + 1);
}

static bool is_new(struct walk *walk, __u64 at)
{
	if (pm_is_interrupted(walk->image))
		walk->error = -EINTR;
	if (!pm_seen_add(&walk->seen, at, walk->seen.used + 1)) {
		walk->image->notes.corrupt++;
		return false;
	}
	return !walk->error;
}

static bool read_node(struct pm_image *image, __u64 entry, struct maple_node *node)
{
	const struct pm_layout *layout = image->layout;
	__u64 type = entry >> 3 & 0xf;
	__u64 at = entry & ~(__u64)MAPLE_NODE_BITS;
	bool has_gaps = type == layout->maple_gap;
	struct pm_field pivots = has_gaps ? layout->gap_pivots : layout->range_pivots;
	struct pm_field slots = has_gaps ? layout->gap_slots : layout->range_slots;

	node->is_leaf = type == layout->maple_leaf;
	node->length = has_gaps ? layout->gap_length : layout->range_length;
	return (has_gaps || node->is_leaf || type == layout->maple_range) &&
	       node->length <= MAPLE_WIDEST &&
	       pm_read(&image->memory, PM_KERNEL, at + (__u64)pivots.offset, node->pivots,
		       (node->length - 1) * sizeof(__u64)) &&
	       pm_read(&image->memory, PM_KERNEL, at + (__u64)slots.offset, node->slots,
		       node->length * sizeof(__u64));
}

/*
 * Pivots are the last addresses of their slots. The last slot, and a slot whose pivot is 0, extend
 * to the node's last address. A slot of a leaf is a VMA or empty.
 */
static void walk_node(struct walk *walk, __u64 entry, __u64 first, __u64 last, unsigned int depth)
{
	struct maple_node node;
	size_t i;

	if (!is_new(walk, entry))
		return;
	if (depth > MAPLE_DEEPEST || !read_node(walk->image, entry, &node)) {
		walk->image->notes.corrupt++;
		return;
	}
	if (!node.is_leaf)
		prefetch_nodes(walk->image, &node);
	for (i = 0; i < node.length && !walk->error; i++) {
		__u64 to = i + 1 < node.length && (node.pivots[i] || !i) ? node.pivots[i] : last;

		if (to < first || to > last) {
			walk->image->notes.corrupt++;
			return;
		}
		if (node.slots[i] && node.is_leaf)
			take_area(walk, node.slots[i]);
		else if (node.slots[i])
			walk_node(walk, node.slots[i], first, to, depth + 1);
		if (to == last)
			return;
		first = to + 1;
	}
}

/* Like xa_is_node(). */
static bool is_node(__u64 entry)
{
	return (entry & 3) == 2 && entry > 4096;
}

static void walk_list(struct walk *walk, __u64 at)
{
	for (; at && is_new(walk, at) && !walk->error; at = PM_GET(walk->image, at, vma_next))
		take_area(walk, at);
}

int pm_find_areas(struct pm_image *image, __u64 mm, struct pm_areas *areas)
{
	struct walk walk = { .image = image, .areas = areas };
	__u64 root;

	areas->n = 0;
	if (image->layout->mm_tree.offset < 0) {
		walk_list(&walk, PM_GET(image, mm, mm_first));
	} else {
		root = PM_GET(image, mm, mm_tree);
		if (is_node(root))
			walk_node(&walk, root, 0, ~(__u64)0, 0);
		else if (root)	/* a single VMA from address 0 on */
			take_area(&walk, root);
	}
	pm_seen_free(&walk.seen);
	prefetch_areas(image, areas);
	check_areas(image, areas);
	return walk.error;
}

void pm_free_areas(struct pm_areas *areas)
{
	free(areas->at);
	memset(areas, 0, sizeof(*areas));
}

void pm_read_space(struct pm_image *image, __u64 mm, struct pm_space_facts *space)
{
	__u64 program = PM_GET(image, mm, mm_program);

	space->mm = mm;
	space->brk = PM_GET(image, mm, mm_brk);
	space->start_brk = PM_GET(image, mm, mm_start_brk);
	space->start_stack = PM_GET(image, mm, mm_start_stack);
	/*
	 * The inode of the program file itself, not of the file that users see, as in the module's
	 * is_program().
	 */
	space->program = program ? PM_GET(image, program, file_inode) : 0;
}

static bool is_heap(const struct pm_layout *layout, const struct pm_space_facts *space,
		    const struct pm_vma *vma)
{
	__u64 end = vma->last + 1;

	if (layout->has_strict_heap)
		return vma->start < space->brk && end > space->start_brk;
	return vma->start <= space->brk && end >= space->start_brk;
}

/* Formats a short name as "[kind:name]". */
static size_t bracketed(struct pm_image *image, const char *kind, __u64 name, char *to)
{
	char text[256];

	pm_get_text(&image->memory, name, text, sizeof(text));
	return (size_t)snprintf(to, PM_PATH_BYTES, "[%s:%s]", kind, text);
}

/*
 * The name that a process gave a VMA by prctl(PR_SET_VMA). VMAs of files have names in some kernels
 * only.
 */
static __u64 given_name(struct pm_image *image, __u64 at, __u64 file)
{
	__u64 given = !file || image->layout->has_named_files ?
			      PM_GET(image, at, vma_given_name) : 0;

	return given ? given + (__u64)image->layout->given_name.offset : 0;
}

/* Labels VMAs as in /proc/PID/maps, in the same order. */
static struct pm_text unit_of(struct pm_image *image, const struct pm_space_facts *space, __u64 at,
			      __u64 file, struct pm_area *area)
{
	__u64 ops = PM_GET(image, at, vma_ops);
	__u64 special = ops ? PM_GET(image, ops, ops_name) : 0;
	__u64 given = given_name(image, at, file);
	struct pm_text unit = { area->name, 0 };

	if (file && given) {
		unit.len = bracketed(image, "anon_shmem", given, area->name);
	} else if (file) {
		struct pm_file found = pm_file_of(image, file);

		return pm_file_path(image, &found, area->name);
	} else if (special && special == image->layout->at.special_mapping_name) {
		__u64 mapping = PM_GET(image, at, vma_private);

		unit.len = pm_get_text(&image->memory, PM_GET(image, mapping, special_name),
				       area->name, sizeof(area->name));
	} else if (is_heap(image->layout, space, &area->record)) {
		unit = (struct pm_text){ "[heap]", 6 };
	} else if (area->record.start <= space->start_stack &&
		   area->record.last + 1 >= space->start_stack) {
		unit = (struct pm_text){ "[stack]", 7 };
	} else if (given) {
		unit.len = bracketed(image, "anon", given, area->name);
	}
	return unit;
}

static __u64 flags_of(__u64 bits, bool is_program)
{
	return (bits & VM_READ ? PM_VMA_READ : 0) | (bits & VM_WRITE ? PM_VMA_WRITE : 0) |
	       (bits & VM_EXEC ? PM_VMA_EXEC : 0) |
	       (bits & VM_MAYSHARE ? PM_VMA_SHARED : 0) |
	       (bits & VM_GROWSDOWN ? PM_VMA_GROWSDOWN : 0) |
	       (is_program ? PM_VMA_EXECUTABLE : 0);
}

void pm_area_facts(struct pm_image *image, const struct pm_space_facts *space, __u64 at,
		   struct pm_area *area)
{
	struct pm_vma *record = &area->record;
	__u64 file = PM_GET(image, at, vma_file);
	__u64 device;

	memset(record, 0, sizeof(*record));
	record->start = PM_GET(image, at, vma_start);
	record->last = PM_GET(image, at, vma_end) - 1;
	record->raw_flags = PM_GET(image, at, vma_flags);
	record->has_raw_flags = true;
	record->prot = PM_GET(image, at, vma_prot);
	record->flags = flags_of(record->raw_flags, false);
	if (file) {
		struct pm_file found = pm_file_of(image, file);

		device = PM_GET(image, PM_GET(image, found.inode, inode_super), super_device);
		record->flags = flags_of(record->raw_flags,
					 found.inode == space->program && space->program);
		record->offset = PM_GET(image, at, vma_pgoff) * image->memory.dump->page_size;
		record->dev_major = (__u32)(device >> 20);	/* MAJOR(), MINOR() */
		record->dev_minor = (__u32)(device & 0xfffff);
		record->inode = PM_GET(image, found.inode, inode_number);
	}
	area->range = (struct pm_range){
		.start = record->start,
		.end = record->last + 1,
		.shared_memory = pm_shared_memory(image, file),
		.first_index = PM_GET(image, at, vma_pgoff),
		.is_hugetlb = record->raw_flags & VM_HUGETLB,
		.has_no_pages = record->raw_flags & VM_PFNMAP,
	};
	record->unit = unit_of(image, space, at, file, area);
}
