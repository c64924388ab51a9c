// SPDX-License-Identifier: MIT
#include "page_stack.h"

#include <stdio.h>

#define MAX_RECORD_BYTES 4096u
#define MAX_ORDER 16u		/* 10 with pages of 4 KiB; 13 with 64 KiB on arm64 */
#define MAX_ENTRIES 64u		/* CONFIG_STACKDEPOT_MAX_FRAMES; page_owner itself stores 16 */
#define MAX_FUNCTIONS 16u	/* PAGE_OWNER_STACK_DEPTH */
#define STACK_ALIGN 4u		/* DEPOT_STACK_ALIGN: the shift of an offset in a handle */
#define MODULE_NAME_BYTES 64u	/* MODULE_NAME_LEN: 64 less the size of a long */
#define EXT_INVALID 1u		/* PAGE_EXT_INVALID, a bit of page_ext: the section goes offline */

/*
 * A handle (lib/stackdepot.c, union handle_parts) has from the lowest bit on: the number of a pool,
 * the offset in it, and other bits. Its bit fields are neither in BTF nor available from crash. But
 * the record of a stack has its own handle, so the right format is the one that leads to it.
 */
struct format {
	unsigned char other_bits;
	unsigned char first_pool;	/* the number of pool 0 */
};

static const struct format formats[] = {
	{ 1, 0 },	/* v5.10: a bit that is always set */
	{ 6, 0 },	/* v6.1: this bit, and 5 extra bits, which do not identify a stack */
	{ 5, 0 },	/* v6.8: the extra bits alone */
	{ 5, 1 },	/* v6.9, commit 3ee34eabac2a */
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* How the names of the allocator's own functions begin, on top of every stack. */
static const char *const allocator[] = {
	"__alloc_frozen_pages", "__alloc_pages", "__folio_alloc", "__get_free_pages",
	"__set_page_owner", "alloc_frozen_pages", "alloc_page_interleave", "alloc_pages",
	"folio_alloc", "get_free_pages", "get_page_from_freelist", "get_zeroed_page",
	"post_alloc_hook", "prep_new_page", "save_stack", "vma_alloc_folio",
};

/*
 * mm/page_owner.c: these stand for stacks that are not known. A frame was taken before page_owner
 * started, while it saved a stack, or when it could not save one.
 */
static const char *const unknown_stacks[] = {
	"register_dummy_stack", "register_early_stack", "register_failure_stack",
};

static __u64 variable(struct pm_image *image, __u64 at, int bytes)
{
	return at ? pm_get(&image->memory, at, (struct pm_field){ 0, bytes }) : 0;
}

static bool find_records(struct pm_page_stacks *stacks)
{
	struct pm_image *image = stacks->image;
	const struct pm_layout *layout = image->layout;

	if (!layout->at.page_owner || !layout->at.record_bytes ||
	    layout->section_records.offset < 0 || layout->record_flags.offset < 0 ||
	    layout->record_part.offset < 0 || layout->user_order.offset < 0 ||
	    layout->user_stack.offset < 0 || !layout->user_struct ||
	    layout->record_user == PM_NONE || layout->record_allocated == PM_NONE)
		return false;
	/* The offset is set at boot if page_owner is on. The flags come first. */
	stacks->user = PM_GET(image, layout->at.page_owner, record_part);
	stacks->record_bytes = variable(image, layout->at.record_bytes, 8);
	return stacks->user && stacks->record_bytes <= MAX_RECORD_BYTES &&
	       stacks->user < stacks->record_bytes &&
	       stacks->user + layout->user_struct <= stacks->record_bytes;
}

static bool find_pools(struct pm_page_stacks *stacks)
{
	struct pm_image *image = stacks->image;
	const struct pm_layout *layout = image->layout;
	__u64 n = PM_MAX_STACK_POOLS;

	if (layout->stack_size.offset < 0 || layout->stack_handle.offset < 0 ||
	    layout->stack_entries.offset < 0)
		return false;
	/* An array; where a boot parameter sets its length, a pointer to one. */
	stacks->pools = layout->at.stack_pools;
	if (layout->at.stack_pools_max)
		stacks->pools = variable(image, stacks->pools, 8);
	if (layout->at.stack_pools_n)
		n = variable(image, layout->at.stack_pools_n, 4);
	else if (layout->at.last_stack_pool)
		n = variable(image, layout->at.last_stack_pool, 4) + 1;
	stacks->n_pools = n < PM_MAX_STACK_POOLS ? n : PM_MAX_STACK_POOLS;
	return stacks->pools && n;
}

bool pm_page_stacks_open(struct pm_page_stacks *stacks, struct pm_image *image)
{
	*stacks = (struct pm_page_stacks){ .image = image };
	return image->memory.dump->name_of && find_records(stacks) && find_pools(stacks) &&
	       pm_sections_open(&stacks->sections, image);
}

__u64 pm_page_record_of(struct pm_page_stacks *stacks, __u64 pfn)
{
	struct pm_image *image = stacks->image;
	__u64 section = pm_section_of(&stacks->sections, pfn);
	/* The array of the section, minus what its first frame's number adds. */
	__u64 base = section ? PM_GET(image, section, section_records) : 0;

	return base && !(base & EXT_INVALID) ? base + stacks->record_bytes * pfn : 0;
}

__u32 pm_page_stack_of(struct pm_page_stacks *stacks, __u64 pfn)
{
	struct pm_image *image = stacks->image;
	const struct pm_layout *layout = image->layout;
	__u64 needed = 1ull << (layout->record_user & 63) | 1ull << (layout->record_allocated & 63);
	__u64 at = pm_page_record_of(stacks, pfn);

	if (!at || (PM_GET(image, at, record_flags) & needed) != needed ||
	    PM_GET(image, at + stacks->user, user_order) > MAX_ORDER)
		return 0;
	return (__u32)PM_GET(image, at + stacks->user, user_stack);
}

/* Returns the kernel address of the record, or 0 if the handle is none of this format. */
static __u64 find_record(struct pm_page_stacks *stacks, __u32 handle, const struct format *format,
			 __u64 *size)
{
	struct pm_image *image = stacks->image;
	unsigned int offset_bits = PM_STACK_POOL_ORDER + image->tables.shift[0] - STACK_ALIGN;
	unsigned int pool_bits = 32 - offset_bits - format->other_bits;
	__u64 number = handle & ((1u << pool_bits) - 1), at, offset, end;

	if (number < format->first_pool || number - format->first_pool >= stacks->n_pools)
		return 0;
	number -= format->first_pool;
	at = variable(image, stacks->pools + 8 * number, 8);
	offset = (__u64)(handle >> pool_bits & ((1u << offset_bits) - 1)) << STACK_ALIGN;
	if (!at || PM_GET(image, at + offset, stack_handle) != handle)
		return 0;
	*size = PM_GET(image, at + offset, stack_size);
	end = offset + (__u64)image->layout->stack_entries.offset + 8 * *size;
	return *size && *size <= MAX_ENTRIES &&
			       end <= image->memory.dump->page_size << PM_STACK_POOL_ORDER ?
		       at + offset : 0;
}

static __u64 record_of(struct pm_page_stacks *stacks, __u32 handle, __u64 *size)
{
	__u64 at = 0;
	unsigned int i;

	if (!handle)
		return 0;
	if (stacks->format)
		return find_record(stacks, handle, &formats[stacks->format - 1], size);
	for (i = 0; i < COUNT(formats) && !at; i++) {
		at = find_record(stacks, handle, &formats[i], size);
		if (at)
			stacks->format = i + 1;
	}
	return at;
}

static bool begins_with_one_of(const char *name, const char *const *beginnings, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

/* Appends the name, or "..." if it is one too many. Returns false for the latter. */
static bool append(char *to, size_t room, size_t *length, unsigned int n, const char *name)
{
	static const char arrow[] = " <- ", more[] = " <- ...";
	size_t needed = strlen(name) + sizeof(arrow);
	bool has_place = n < MAX_FUNCTIONS && *length + needed + sizeof(more) <= room;

	if (has_place)
		*length += (size_t)snprintf(to + *length, room - *length, "%s%s", n ? arrow : "",
					    name);
	else if (n)
		*length += (size_t)snprintf(to + *length, room - *length, "%s", more);
	return has_place;
}

/* Functions of modules may have no names in a dump. Then the module's is used: "[ext4]". */
static bool name_module(struct pm_page_stacks *stacks, __u64 address, char *to, size_t room)
{
	struct pm_image *image = stacks->image;
	struct pm_field field = image->layout->module_name;
	const struct pm_mark *mark;
	char name[MODULE_NAME_BYTES];
	__u64 physical;

	if (!stacks->marks || field.offset < 0 ||
	    pm_translate(image, address, &physical) != PM_FOUND)
		return false;
	mark = pm_marks_search(stacks->marks, physical >> image->tables.shift[0], PM_MARK_MODULE);
	return mark &&
	       pm_get_text(&image->memory, mark->of + (__u64)field.offset, name, sizeof(name)) &&
	       (size_t)snprintf(to, room, "[%s]", name) < room;
}

/* Returns false if the address is in no function. */
static bool name_function(struct pm_page_stacks *stacks, __u64 address, bool is_first, char *to,
			  size_t room)
{
	const struct pm_dump *dump = stacks->image->memory.dump;

	if (dump->name_of(dump->self, address, to, room))
		return true;
	/* A stack begins in the page allocator. */
	if (is_first || !(address >> 63))
		return false;
	if (!name_module(stacks, address, to, room))
		snprintf(to, room, "?");
	return true;
}

size_t pm_page_stack_text(struct pm_page_stacks *stacks, __u32 handle, char *to, size_t room)
{
	struct pm_image *image = stacks->image;
	__u64 size = 0, record = record_of(stacks, handle, &size), i;
	__u64 entries = record + (__u64)image->layout->stack_entries.offset;
	size_t length = 0;
	unsigned int n = 0;
	char name[256];

	for (i = 0; record && i < size; i++) {
		__u64 address = variable(image, entries + 8 * i, 8);

		if (!name_function(stacks, address, !i, name, sizeof(name)))
			return 0;
		if (!n && begins_with_one_of(name, allocator, COUNT(allocator)))
			continue;
		if (!n && begins_with_one_of(name, unknown_stacks, COUNT(unknown_stacks)))
			return 0;
		if (!append(to, room, &length, n++, name))
			break;
	}
	return length;
}
