/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The one writer of paging traces as text, and of the two log lines of the paper
 * (formats/trace-records.md). As emit.h: gnu11, no allocation, at most 256 bytes of stack, text
 * through a pm_out.
 */
#ifndef PM_TRACE_H
#define PM_TRACE_H

#include "emit.h"
#include "paging_record.h"

#define PM_TRACE_VERSION 1

enum pm_trace_area_kind {
	PM_TRACE_PARTITION = 0,
	PM_TRACE_FILE = 1,
	PM_TRACE_ZRAM = 2,
	PM_TRACE_GONE = 3,		/* switched off since it was named */
};

/* Strings may hold any bytes. */
struct pm_trace_header {
	const char *arch;
	const char *kernel;
	const char *source;		/* kmod, bpf, udp, pftrace */
	const char *form;		/* binary; NULL: text, and the key is left out */
	__u32 page_size;
	__u64 memory_bytes;		/* MemTotal */
	__u64 frames_end;		/* one more than the highest frame number of RAM */
	__s64 wall_offset_ns;		/* since 1970 less CLOCK_MONOTONIC; of a machine whose clock was never set below 0 */
};

struct pm_trace_area {
	__u8 type;			/* as swap entries name it */
	__u8 kind;			/* pm_trace_area_kind */
	__u64 slots;			/* pages */
	struct pm_text name;		/* its path */
};

struct pm_trace_end {
	__u64 ins, outs;		/* I: and O: lines before */
	__u64 lost;			/* sum of L: */
};

#ifdef __cplusplus
extern "C" {
#endif

void pm_emit_trace_header(struct pm_out *out, const struct pm_trace_header *header);
void pm_emit_trace_area(struct pm_out *out, const struct pm_trace_area *area);

/* I:, O: or L:, by the record's kind. */
void pm_emit_trace_record(struct pm_out *out, const struct pm_paging_record *record);
void pm_emit_trace_end(struct pm_out *out, const struct pm_trace_end *end);

/*
 * The paper's line. count: of swap-ins, this one included; unused for a swap-out. What is not known
 * is written as it stands in the record: no address, frame or sector of a machine has the value
 * PM_PAGING_UNKNOWN. A PM_PAGING_LOST record has no line.
 */
void pm_emit_paper_line(struct pm_out *out, const struct pm_paging_record *record, __u64 count, __s64 wall_offset_ns);

#ifdef __cplusplus
}
#endif

#endif
