/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The buffer that programs map (formats/profile-buffer.md). It exists as long as the module is
 * loaded. Programs can write to it, so the module never reads from it.
 */
#ifndef PM_PROFILE_BUFFER_H
#define PM_PROFILE_BUFFER_H

#include "emit/profile_ring.h"

/* The buffer starts empty. Returns 0 or -ENOMEM. */
int pm_profile_buffer_init(void);
void pm_profile_buffer_exit(void);

/* The caller serializes calls of these two. */
void pm_profile_buffer_clear(void);
void pm_profile_buffer_put(const struct pm_profile_sample *sample);

/* Returns the frame number of a page; page < PM_PROFILE_PAGES. */
unsigned long pm_profile_buffer_pfn(unsigned long page);

#endif
