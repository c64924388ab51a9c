/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The only writer of paging traces as text, and of the paper's two log lines
 * (formats/trace-records.md). Same constraints as emit.h: gnu11, no allocation, at most 256 bytes
 * of stack. Text is written to a pm_out.
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
	PM_TRACE_GONE = 3,		/* swapoff after it was recorded */
};

/* Their words in A:, in this order. */
#define PM_TRACE_AREA_WORDS { "partition", "file", "zram", "gone" }

/* The words of pm_paging_flag, in the order of the bits. */
#define PM_TRACE_FLAG_WORDS \
	{ "io", "readahead", "hit", "zswap", "zram", "major", "retry", "zero", "nofault", \
	  "shared", "mapped", "kept", "failed" }

/* Strings may hold any bytes. */
struct pm_trace_header {
	const char *arch;
	const char *kernel;
	const char *source;		/* kmod, bpf, udp, pftrace */
	const char *form;		/* binary; NULL: text, the key is omitted */
	__u32 page_size;
	__u64 memory_bytes;		/* MemTotal */
	__u64 frames_end;		/* one more than the highest frame number of RAM */
	/* Time since 1970 minus CLOCK_MONOTONIC. Negative if the clock was never set. */
	__s64 wall_offset_ns;
};

struct pm_trace_area {
	__u8 type;			/* as in swap entries */
	__u8 kind;			/* pm_trace_area_kind */
	__u64 slots;			/* pages */
	struct pm_text name;		/* its path */
};

struct pm_trace_end {
	__u64 ins, outs;		/* number of I: and O: lines */
	__u64 lost;			/* sum of L: lines */
};

#ifdef __cplusplus
extern "C" {
#endif

void pm_emit_trace_header(struct pm_out *out, const struct pm_trace_header *header);
void pm_emit_trace_area(struct pm_out *out, const struct pm_trace_area *area);

/* Writes an I:, O: or L: line, depending on the record's kind. */
void pm_emit_trace_record(struct pm_out *out, const struct pm_paging_record *record);
void pm_emit_trace_end(struct pm_out *out, const struct pm_trace_end *end);

/*
 * Writes the paper's log line. count: swap-ins so far, including this one; unused for a swap-out.
 * Unknown fields are written with their value in the record; no real address, frame or sector is
 * PM_PAGING_UNKNOWN. A PM_PAGING_LOST record has no line.
 */
void pm_emit_paper_line(struct pm_out *out, const struct pm_paging_record *record, __u64 count,
			__s64 wall_offset_ns);

#ifdef __cplusplus
}
#endif

#endif
