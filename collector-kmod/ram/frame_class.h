/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a frame is used for, by its struct page: class, flags, count and place of R: lines. The
 * rules are the same as in kernel-image/ram_page.c, so that both ways write the same lines.
 */
#ifndef PM_FRAME_CLASS_H
#define PM_FRAME_CLASS_H

#include "emit/ram.h"
#include "kernel/compat_ram.h"

struct pm_ram_facts {
	enum pm_ram_class class_;
	unsigned long pages;	/* frames with these facts, from this one on: a free block or 1 */
	__u64 flags, count, place;
	struct address_space *mapping;	/* of a frame of a file; else NULL */
	unsigned long charge;	/* see pm_charge_of(); 0: none */
	bool is_unused;		/* no reference, type or mapping: free, or a part of a block */
};

/* At the beginning of an RCU section: what was copied before is old. */
static inline void pm_copy_renew(struct pm_page_copy *copy)
{
	copy->of = NULL;
	copy->own = NULL;
}

/*
 * Sets the facts of an online frame. copy: space for the struct pages of the frame and its folio.
 * The caller passes both unchanged for the next frame. Called under RCU: what mapping and charge
 * point to is not freed before the RCU section ends.
 */
void pm_frame_facts(struct page *page, struct pm_page_copy *copy, struct pm_ram_facts *facts);

/*
 * Returns how many of the frames that follow have the facts of this one, at most `most`; their
 * place in a file runs on. Called after pm_frame_facts(), which may be called for the next frame
 * afterwards. All struct pages are online and in one array.
 */
unsigned long pm_frames_alike(struct page *page, const struct pm_page_copy *copy,
			      struct pm_ram_facts *facts, unsigned long most);

/*
 * The same for an unused frame: those that follow are all in lists, or all not and among the next
 * in_block frames. most is at least 1.
 */
unsigned long pm_unused_alike(struct page *page, const struct pm_page_copy *copy,
			      unsigned long most, unsigned long in_block, bool *are_listed);

/* Returns how many frames from this one on are not marked as broken, at most n. */
unsigned long pm_frames_not_broken(const struct page *page, unsigned long n);

#endif
