/* SPDX-License-Identifier: MIT */
/*
 * The output of a snapshot: a stream, or a file that appears when it is complete. The same rules
 * apply as in other programs (docs/collecting.md, "Output files"), except that FILE must not be a
 * symbolic link.
 */
#ifndef PM_OUTPUT_H
#define PM_OUTPUT_H

#include <stdio.h>

#include "emit/emit.h"

struct pm_output {
	struct pm_out out;
	FILE *stream;
	const char *file;	/* NULL: the caller owns the stream */
	char temporary[4096];	/* name until complete; empty: file is a device or pipe */
	char text[65536];
};

/*
 * If file is NULL, writes to stream. Returns 0 or an error; -EPERM if the file belongs to another
 * user. The output must not be moved while it is open.
 */
int pm_output_open(struct pm_output *output, const char *file, FILE *stream);

/*
 * Renames the file to its final name, or deletes it if failed is not 0. Returns failed, or an error
 * of closing. Does nothing if the output is already closed.
 */
int pm_output_close(struct pm_output *output, int failed);

#endif
