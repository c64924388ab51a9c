/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Text is collected in the caller's buffer. When the buffer is full, flush() is called.
 */
#ifndef PM_OUT_H
#define PM_OUT_H

#include "port.h"

/* Minimum size of the buffer: more than the longest piece that is written at once. */
#define PM_OUT_MIN 128u

struct pm_out {
	char *buf;
	size_t size;		/* bytes of buf, at least PM_OUT_MIN */
	size_t used;
	/* Returns 0, or an error that ends the writing. */
	int (*flush)(void *to, const char *text, size_t len);
	void *to;
	int error;		/* the first error of flush(); later text is discarded */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Flushes the buffer. Returns the first error, or 0 if all text was written. */
int pm_out_flush(struct pm_out *out);

#ifdef __cplusplus
}
#endif

#endif
