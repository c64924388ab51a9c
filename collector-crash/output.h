/* SPDX-License-Identifier: MIT */
/*
 * Where a snapshot goes: a stream, or a file that appears when it is whole. The rules are those of
 * the other programs' outputs (docs/collecting.md, "Output files"), but a symbolic link as the
 * file's own name is refused.
 */
#ifndef PM_OUTPUT_H
#define PM_OUTPUT_H

#include <stdio.h>

#include "emit/emit.h"

struct pm_output {
	struct pm_out out;
	FILE *stream;
	const char *file;	/* NULL: stream is somebody else's */
	char temporary[4096];	/* its name until it is whole; empty: file is a device or a pipe, and written at once */
	char text[65536];
};

/*
 * file NULL: to stream. 0 or an error; -EPERM: of another user. The output must stay where it is.
 */
int pm_output_open(struct pm_output *output, const char *file, FILE *stream);

/*
 * Nothing, once it is closed. Gives the file its name, or, when something failed, takes it away.
 * Returns failed, or the error of closing.
 */
int pm_output_close(struct pm_output *output, int failed);

#endif
