// SPDX-License-Identifier: MIT
#include "image.h"

#include <stdio.h>

/* Of a frame's contents. */
enum {
	UNKNOWN,
	HELD,
	LEFT_OUT
};

static void get_name(struct pm_image *image, struct pm_field field, char *to, size_t room)
{
	pm_get_text(&image->memory, image->layout->at.init_uts + (__u64)field.offset, to, room);
}

bool pm_image_open(struct pm_image *image, const struct pm_dump *dump, const struct pm_layout *layout, char *why, size_t room)
{
	memset(image, 0, sizeof(*image));
	image->layout = layout;
	if (!pm_memory_open(&image->memory, dump)) {
		snprintf(why, room, "no memory");
		return false;
	}
	get_name(image, image->layout->uts_machine, image->machine, sizeof(image->machine));
	get_name(image, image->layout->uts_release, image->release, sizeof(image->release));
	image->ram_pages = pm_get(&image->memory, image->layout->at.ram_pages, (struct pm_field){ 0, 8 });
	image->zero_pfn = PM_NONE;
	if (layout->at.zero_pfn)
		image->zero_pfn = pm_get(&image->memory, layout->at.zero_pfn, (struct pm_field){ 0, 8 });
	if (pm_table_format_find(&image->tables, image->machine, &image->memory, layout))
		return true;
	snprintf(why, room, "found page tables of a machine '%s', or a shape of them, that are not known; known are " PM_MACHINES, image->machine);
	pm_image_close(image);
	return false;
}

void pm_image_close(struct pm_image *image)
{
	pm_memory_close(&image->memory);
}

static struct pm_frames *frames_of(struct pm_image *image, __u64 pfn)
{
	const struct pm_dump *dump = image->memory.dump;
	__u64 number = pfn / PM_FRAMES_TOGETHER;
	struct pm_frames *frames = &image->frames[number % PM_FRAMES_KNOWN];

	if (frames->number != number + 1) {
		memset(frames, 0, sizeof(*frames));
		frames->number = number + 1;
		frames->page = dump->page_of(dump->self, number * PM_FRAMES_TOGETHER);
	}
	return frames;
}

__u64 pm_page_of(struct pm_image *image, __u64 pfn)
{
	__u64 first = frames_of(image, pfn)->page;

	return first ? first + pfn % PM_FRAMES_TOGETHER * image->layout->page_struct : 0;
}

bool pm_holds(struct pm_image *image, __u64 pfn)
{
	const struct pm_dump *dump = image->memory.dump;
	__u8 *held;

	if (!dump->holds)
		return true;
	held = &frames_of(image, pfn)->holds[pfn % PM_FRAMES_TOGETHER];
	if (*held == UNKNOWN)
		*held = dump->holds(dump->self, pfn) ? HELD : LEFT_OUT;
	return *held == HELD;
}
