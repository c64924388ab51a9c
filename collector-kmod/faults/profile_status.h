/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /proc/mp3/status lists the registered processes. Writing "R PID" registers, "U PID" unregisters.
 */
#ifndef PM_PROFILE_STATUS_H
#define PM_PROFILE_STATUS_H

/* Returns 0 or -ENOMEM. */
int pm_profile_status_init(void);
/* On return no file operation is running and none can start. */
void pm_profile_status_exit(void);

#endif
