/* SPDX-License-Identifier: GPL-2.0-only */
/* File operations of the devices. Each open file is a separate snapshot with its own position. */
#ifndef PM_SNAPSHOT_FILE_H
#define PM_SNAPSHOT_FILE_H

#include <linux/fs.h>

extern const struct file_operations pm_snapshot_operations;
/* With the whole of RAM. */
extern const struct file_operations pm_ram_operations;

/*
 * Makes a snapshot, discards it, and returns its size in bytes or a negative error (-EINTR,
 * -ENOMEM). Costs as much as a snapshot, because no kernel counter has the number of zero pages or
 * of names that need escapes.
 */
s64 pm_snapshot_size(void);

#endif
