/* SPDX-License-Identifier: GPL-2.0-only */
/* What the device does: each open file is a snapshot of its own, with its own place in it. */
#ifndef PM_SNAPSHOT_FILE_H
#define PM_SNAPSHOT_FILE_H

#include <linux/fs.h>

extern const struct file_operations pm_snapshot_operations;

/*
 * Makes a snapshot for nobody and returns its bytes, or a negative error (-EINTR, -ENOMEM). Costs
 * what a snapshot costs: the number of zero pages and of names that need escapes is in no counter.
 */
s64 pm_snapshot_size(void);

#endif
