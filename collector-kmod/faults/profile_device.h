/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The character device that maps the profiler's buffer: /dev/mp3, and whatever nodes somebody makes
 * by mknod.
 */
#ifndef PM_PROFILE_DEVICE_H
#define PM_PROFILE_DEVICE_H

#include <linux/types.h>

/*
 * major 0: any that is free. mode: of /dev/mp3. 0 or -errno; why a major cannot be had stands in
 * the log.
 */
int pm_profile_device_init(unsigned int major, umode_t mode);
void pm_profile_device_exit(void);

#endif
