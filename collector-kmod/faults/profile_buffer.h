/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory that programs map (formats/profile-buffer.md). It is there from loading to unloading.
 * Programs write into it too, so nothing is ever read from it.
 */
#ifndef PM_PROFILE_BUFFER_H
#define PM_PROFILE_BUFFER_H

#include "emit/profile_ring.h"

/* All of it is empty. 0 or -ENOMEM. */
int pm_profile_buffer_init(void);
void pm_profile_buffer_exit(void);

/* One caller at a time. */
void pm_profile_buffer_clear(void);
void pm_profile_buffer_put(const struct pm_profile_sample *sample);

/* The frame of a page; page < PM_PROFILE_PAGES. */
unsigned long pm_profile_buffer_pfn(unsigned long page);

#endif
