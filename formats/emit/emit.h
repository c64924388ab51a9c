/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The only writer of snapshot records, version 2 (formats/physmem-records.md).
 *
 * Compiled unchanged into the kernel module, the crash extension and the /proc collector: gnu11, no
 * allocation, no floating point, at most 256 bytes of stack. Text is collected in the caller's
 * buffer. When the buffer is full, flush() is called.
 */
#ifndef PM_EMIT_H
#define PM_EMIT_H

#include "records.h"

#define PM_SCHEMA_VERSION 2

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

void pm_emit_header(struct pm_out *out, const struct pm_header *header);
void pm_emit_counters(struct pm_out *out, const struct pm_counter *counters, size_t n);
void pm_emit_task(struct pm_out *out, const struct pm_task *task);
void pm_emit_vma(struct pm_out *out, const struct pm_vma *vma);
void pm_emit_page_counts(struct pm_out *out, const struct pm_page_counts *counts);

/* An M: line is written by begin, any number of calls of pages, and end. Likewise an S: line. */
void pm_emit_pages_begin(struct pm_out *out);
void pm_emit_pages(struct pm_out *out, const struct pm_page *pages, size_t n);
void pm_emit_pages_end(struct pm_out *out);
void pm_emit_swapped_begin(struct pm_out *out);
void pm_emit_swapped(struct pm_out *out, const struct pm_swap *entries, size_t n);
void pm_emit_swapped_end(struct pm_out *out);

void pm_emit_end(struct pm_out *out, const struct pm_end *end);

/* Flushes the buffer. Returns the first error, or 0 if all text was written. */
int pm_out_flush(struct pm_out *out);

#ifdef __cplusplus
}
#endif

#endif
