/* SPDX-License-Identifier: MIT */
/*
 * Paths of files as in /proc/PID/maps: dentries up to the root of their mount, then mounts up to
 * the first one.
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

/* The file as users see it: for a file below an overlay, the overlay's file. */
struct pm_file pm_file_of(struct pm_image *image, __u64 file);

/*
 * Makes the path in buffer, which has PM_PATH_BYTES. A path that cannot be read is replaced by a
 * label and noted.
 */
struct pm_text pm_file_path(struct pm_image *image, const struct pm_file *file, char *buffer);

#endif
