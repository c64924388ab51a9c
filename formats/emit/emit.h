/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The only writer of snapshot records, version 2 (formats/physmem-records.md).
 *
 * Compiled unchanged into the kernel module, the crash extension and the /proc collector: gnu11, no
 * allocation, no floating point, at most 256 bytes of stack.
 */
#ifndef PM_EMIT_H
#define PM_EMIT_H

#include "out.h"
#include "records.h"

#define PM_SCHEMA_VERSION 2

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

#ifdef __cplusplus
}
#endif

#endif
