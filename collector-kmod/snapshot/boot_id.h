/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PM_BOOT_ID_H
#define PM_BOOT_ID_H

/*
 * Reads the id of this boot from /proc/sys/kernel/random/boot_id: the kernel's variable is not
 * exported. Called once, when the module is loaded, by the task that loads it.
 */
void pm_boot_id_init(void);

/* The id as in the file, 36 characters; NULL if it could not be read or is malformed. */
const char* pm_boot_id(void);

#endif
