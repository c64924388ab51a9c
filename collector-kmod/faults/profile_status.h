/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/mp3/status: who is registered; "R PID" registers, "U PID" unregisters. */
#ifndef PM_PROFILE_STATUS_H
#define PM_PROFILE_STATUS_H

/* 0 or -ENOMEM. */
int pm_profile_status_init(void);
/* Afterwards nobody is in it, and nobody can come. */
void pm_profile_status_exit(void);

#endif
