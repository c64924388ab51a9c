/* SPDX-License-Identifier: MIT */
/*
 * Names of files, as /proc/PID/maps shows them: dentries up to the root of their mount, and mounts
 * up to the first.
 */
#ifndef PM_PATH_H
#define PM_PATH_H

#include "emit/records.h"
#include "image.h"

#define PM_PATH_BYTES 4096	/* PATH_MAX */

/* A file that is mapped. */
struct pm_file {
	__u64 dentry, mount, inode;
};

/* What users see of the file: of one behind an overlay that of the overlay. */
struct pm_file pm_file_of(struct pm_image *image, __u64 file);

/* Makes its path in buffer, which has PM_PATH_BYTES; what cannot be read is named so, and noted. */
struct pm_text pm_file_path(struct pm_image *image, const struct pm_file *file, char *buffer);

#endif
