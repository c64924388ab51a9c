/* SPDX-License-Identifier: MIT */
/* A dump with the properties of its kernel: the input of all walks. */
#ifndef PM_IMAGE_H
#define PM_IMAGE_H

#include "emit/records.h"
#include "layout.h"
#include "memory.h"
#include "table_format.h"

/* Counts of what the snapshot lacks (note.* in formats/physmem-records.md). */
struct pm_notes {
	__u64 in_transit;
	__u64 poisoned, migrating;	/* of them: of a broken frame; of another one */
	struct pm_markers markers;	/* no loss */
	__u64 table_excluded;
	__u64 frame_excluded;
	__u64 name_excluded;
	__u64 corrupt;
	/* Only in running kernels. */
	__u64 task_exited;	/* tasks, or address spaces, that ended while they were read */
	__u64 space_changed;	/* address spaces that changed at each try to read them */
};

/* Number of frames whose struct pages are contiguous in every memory model. */
#define PM_FRAMES_TOGETHER 256u
#define PM_FRAMES_KNOWN 1024u

struct pm_frames {
	__u64 number;	/* pfn / PM_FRAMES_TOGETHER + 1; 0: unused */
	__u64 page;	/* address of the first frame's struct page; 0: none */
};

/* Paths that are remembered, and the longest of them. */
#define PM_NAMES 512u
#define PM_NAME_BYTES 214u

struct pm_name {
	__u64 dentry, mount, inode;
	__u32 renewals;		/* pm_memory.page_renewals; a path is as old as a struct page */
	__u16 length;		/* 0: unused */
	char text[PM_NAME_BYTES];
};

struct pm_image {
	struct pm_memory memory;
	const struct pm_layout *layout;
	struct pm_table_format tables;
	struct pm_notes notes;
	char machine[65], release[65], host[65];	/* as in uname: new_utsname */
	char boot_id[37];	/* as /proc/sys/kernel/random/boot_id; empty: unknown */
	__u64 ram_pages;
	__u64 zero_pfn;
	__u64 huge_zero_pfn;	/* 0: none, or unknown */
	__u64 max_pfn;		/* frames from here on have no struct page */
	__u64 kernel_tables;	/* kernel address of the kernel's top-level page table */
	/* Address of frame 0's struct page, real or not; 0: the dump is queried for each frame. */
	__u64 first_page;
	struct pm_frames frames[PM_FRAMES_KNOWN];
	__u8 holds[PM_FRAMES_KNOWN][PM_FRAMES_TOGETHER];	/* results of pm_holds() for them */
	struct pm_name names[PM_NAMES];
};

/* Returns false if the dump is unsupported; why is then a sentence without a full stop. */
bool pm_image_open(struct pm_image *image, const struct pm_dump *dump,
		   const struct pm_layout *layout, char *why, size_t room);
void pm_image_close(struct pm_image *image);

/* Reads a member of the struct at kernel address object. */
#define PM_GET(image, object, field) pm_get(&(image)->memory, object, (image)->layout->field)

/* Reads a raw page-table entry. */
__u64 pm_entry_at(struct pm_image *image, enum pm_space space, __u64 at);

/*
 * Follows page tables from the top one to the entry for this address at the lowest level, or to one
 * above it that leads to no table. Returns PM_NOT_MAPPED if that is empty.
 */
enum pm_place pm_find_entry(struct pm_image *image, __u64 top, __u64 at, unsigned int lowest,
			    struct pm_entry *entry, unsigned int *level);

/*
 * Translates an address of the kernel by its page tables. crash could do this too, but it aborts
 * the command if a table cannot be read.
 */
enum pm_place pm_translate(struct pm_image *image, __u64 at, __u64 *physical);

/* What is known of the frames around this one. */
struct pm_frames *pm_find_frames(struct pm_image *image, __u64 pfn);

static inline struct pm_frames *pm_frames_of(struct pm_image *image, __u64 pfn)
{
	__u64 number = pfn / PM_FRAMES_TOGETHER;
	struct pm_frames *frames = &image->frames[number % PM_FRAMES_KNOWN];

	return frames->number == number + 1 ? frames : pm_find_frames(image, pfn);
}

/* Returns the kernel address of the frame's struct page; 0 if it has none. */
static inline __u64 pm_page_of(struct pm_image *image, __u64 pfn)
{
	__u64 first = pm_frames_of(image, pfn)->page;

	return first ? first + pfn % PM_FRAMES_TOGETHER * image->layout->page_struct : 0;
}

/* Whether the dump has the frame's contents. */
bool pm_holds(struct pm_image *image, __u64 pfn);

static inline bool pm_is_interrupted(const struct pm_image *image)
{
	return image->memory.dump->is_interrupted(image->memory.dump->self);
}

#endif
