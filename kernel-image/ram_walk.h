/* SPDX-License-Identifier: MIT */
/* Every frame of RAM from an image, as R: and O: lines. */
#ifndef PM_RAM_WALK_H
#define PM_RAM_WALK_H

#include "ram_owner.h"
#include "ram_page.h"

/* Consecutive frames of RAM. Frames between spans are of class `hole`. */
struct pm_frame_span {
	__u64 begin, end;
	/* Class of reserved frames in it: reserved, or a part of the kernel. offline: all of it. */
	enum pm_ram_class reserved;
};

/* Uses and owners of frames by the kernel's lists and tables. */
struct pm_ram_walk;

/*
 * Reads the lists and tables. The kernel's totals are to be read afterwards, because they should be
 * of the same time as the frames. The result must be closed. Returns 0, -EINTR or -ENOMEM.
 */
int pm_ram_walk_open(struct pm_ram_walk **walk, struct pm_image *image,
		     const struct pm_page_types *types);
/* The caller has written this number of owners (O:), with ids from 1 on. */
void pm_ram_walk_set_owners(struct pm_ram_walk *walk, __u64 written);
/*
 * Writes the frames from 0 to the end of the last span, once. stop() is called every few thousand
 * frames; an error (below 0) ends the walk and is returned.
 */
int pm_ram_walk_write(struct pm_ram_walk *walk, const struct pm_frame_span *spans, size_t n,
		      struct pm_out *out, int (*stop)(void *self), void *self);
/* NULL: does nothing. */
void pm_ram_walk_close(struct pm_ram_walk *walk);

#endif
