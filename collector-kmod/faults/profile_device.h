/* SPDX-License-Identifier: GPL-2.0-only */
/* The character device that maps the profiler's buffer: /dev/mp3, and any node made by mknod. */
#ifndef PM_PROFILE_DEVICE_H
#define PM_PROFILE_DEVICE_H

#include <linux/types.h>

/*
 * major: 0 for any free number. mode: permissions of /dev/mp3. Returns 0 or -errno. If the major is
 * not available, the reason is logged.
 */
int pm_profile_device_init(unsigned int major, umode_t mode);
void pm_profile_device_exit(void);

#endif
