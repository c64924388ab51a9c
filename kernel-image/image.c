// SPDX-License-Identifier: MIT
#include "image.h"

#include <stdio.h>

/* State of a frame's contents. */
enum {
	UNKNOWN,
	HELD,
	LEFT_OUT
};

static void get_name(struct pm_image *image, struct pm_field field, char *to, size_t room)
{
	pm_get_text(&image->memory, image->layout->at.init_uts + (__u64)field.offset, to, room);
}

/*
 * The kernel creates the id on first use. Until then it is zero; after that its variant is set in
 * byte 8 (drivers/char/random.c, proc_do_uuid()).
 */
static void get_boot_id(struct pm_image *image)
{
	unsigned char id[16];
	char *to = image->boot_id;
	size_t i;

	if (!image->layout->at.boot_id ||
	    !pm_read(&image->memory, PM_KERNEL, image->layout->at.boot_id, id, sizeof(id)) ||
	    (id[8] & 0xC0) != 0x80)
		return;
	for (i = 0; i < sizeof(id); i++)
		to += sprintf(to, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", id[i]);
}

__u64 pm_entry_at(struct pm_image *image, enum pm_space space, __u64 at)
{
	unsigned char bytes[8];
	__u64 raw;

	pm_read(&image->memory, space, at, bytes, sizeof(bytes));
	raw = pm_number(bytes, sizeof(bytes));
	return image->tables.is_big_endian ? __builtin_bswap64(raw) : raw;
}

enum pm_place pm_find_entry(struct pm_image *image, __u64 top, __u64 at, unsigned int lowest,
			    struct pm_entry *entry, unsigned int *level)
{
	const struct pm_table_format *format = &image->tables;
	__u64 missing = image->memory.missing, table = top;
	enum pm_space space = PM_KERNEL;

	for (*level = format->levels - 1;; --*level, table = entry->table, space = PM_PHYSICAL) {
		__u64 index = at >> format->shift[*level] &
			      ((1ull << format->index_bits[*level]) - 1);

		format->decode(format, pm_entry_at(image, space, table + 8 * index), *level, entry);
		if (image->memory.missing != missing) {
			image->memory.missing = missing;	/* the caller counts it */
			return PM_LOST;
		}
		if (entry->kind == PM_ENTRY_NONE)
			return PM_NOT_MAPPED;
		if (entry->kind != PM_ENTRY_TABLE || *level == lowest)
			return PM_FOUND;
	}
}

enum pm_place pm_translate(struct pm_image *image, __u64 at, __u64 *physical)
{
	const struct pm_table_format *format = &image->tables;
	const struct pm_dump *dump = image->memory.dump;
	struct pm_entry entry;
	enum pm_place place;
	unsigned int level;

	/* Damaged: the top table would be needed to find itself. */
	if (dump->needs_tables && dump->needs_tables(dump->self, image->kernel_tables))
		return PM_LOST;
	place = pm_find_entry(image, image->kernel_tables, at, 0, &entry, &level);
	if (place != PM_FOUND)
		return place;
	if (entry.kind != PM_ENTRY_LEAF)
		return PM_LOST;
	*physical = (entry.pfn << format->shift[0]) + (at & ((1ull << format->shift[level]) - 1));
	return PM_FOUND;
}

static enum pm_place translate(void *self, __u64 at, __u64 *physical)
{
	return pm_translate(self, at, physical);
}

static __u64 variable(struct pm_image *image, __u64 address)
{
	return pm_get(&image->memory, address, (struct pm_field){ 0, 8 });
}

/*
 * Struct pages that are mapped by the kernel's page tables (SPARSEMEM_VMEMMAP) are contiguous, so
 * the address of one gives all others.
 */
static void find_first_page(struct pm_image *image)
{
	const struct pm_dump *dump = image->memory.dump;
	__u64 page;

	if (!dump->needs_tables)
		return;
	if (image->layout->at.vmemmap) {
		image->first_page = variable(image, image->layout->at.vmemmap);
	} else if (image->zero_pfn != PM_NONE) {
		page = dump->page_of(dump->self, image->zero_pfn);
		image->first_page = page ? page - image->zero_pfn * image->layout->page_struct : 0;
	}
	if (image->first_page)
		pm_memory_set_pages(&image->memory, image->first_page,
				    image->max_pfn * image->layout->page_struct);
}

bool pm_image_open(struct pm_image *image, const struct pm_dump *dump,
		   const struct pm_layout *layout, char *why, size_t room)
{
	memset(image, 0, sizeof(*image));
	image->layout = layout;
	if (!pm_memory_open(&image->memory, dump)) {
		snprintf(why, room, "no memory");
		return false;
	}
	get_name(image, image->layout->uts_machine, image->machine, sizeof(image->machine));
	get_name(image, image->layout->uts_release, image->release, sizeof(image->release));
	get_name(image, image->layout->uts_nodename, image->host, sizeof(image->host));
	get_boot_id(image);
	image->ram_pages = variable(image, layout->at.ram_pages);
	image->zero_pfn = layout->at.zero_pfn ? variable(image, layout->at.zero_pfn) : PM_NONE;
	image->huge_zero_pfn =
		layout->at.huge_zero_pfn ? variable(image, layout->at.huge_zero_pfn) : 0;
	image->max_pfn = layout->at.max_pfn ? variable(image, layout->at.max_pfn) : PM_NONE;
	image->kernel_tables = PM_GET(image, layout->at.init_mm, mm_pgd);
	if (pm_table_format_find(&image->tables, image->machine, &image->memory, layout, why,
				 room)) {
		image->memory.translate = translate;
		image->memory.image = image;
		find_first_page(image);
		return true;
	}
	pm_image_close(image);
	return false;
}

void pm_image_close(struct pm_image *image)
{
	pm_memory_close(&image->memory);
}

/*
 * Returns the struct page of the first frame of a group. Either all or none of the frames in a
 * group have struct pages.
 */
static __u64 find_page(struct pm_image *image, __u64 pfn)
{
	const struct pm_dump *dump = image->memory.dump;
	__u64 physical, at;

	if (pfn >= image->max_pfn)
		return 0;
	if (!image->first_page)
		return dump->page_of(dump->self, pfn);
	at = image->first_page + pfn * image->layout->page_struct;
	return dump->needs_tables(dump->self, at) &&
	       pm_translate(image, at, &physical) == PM_NOT_MAPPED ? 0 : at;
}

struct pm_frames *pm_find_frames(struct pm_image *image, __u64 pfn)
{
	__u64 number = pfn / PM_FRAMES_TOGETHER;
	struct pm_frames *frames = &image->frames[number % PM_FRAMES_KNOWN];

	if (image->memory.dump->holds)
		memset(image->holds[number % PM_FRAMES_KNOWN], UNKNOWN, PM_FRAMES_TOGETHER);
	frames->number = number + 1;
	frames->page = find_page(image, number * PM_FRAMES_TOGETHER);
	return frames;
}

bool pm_holds(struct pm_image *image, __u64 pfn)
{
	const struct pm_dump *dump = image->memory.dump;
	__u8 *held;

	if (!dump->holds)
		return true;
	held = &image->holds[pm_frames_of(image, pfn) - image->frames][pfn % PM_FRAMES_TOGETHER];
	if (*held == UNKNOWN)
		*held = dump->holds(dump->self, pfn) ? HELD : LEFT_OUT;
	return *held == HELD;
}
