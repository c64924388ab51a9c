/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The binary form of a paging trace: what its bytes mean (formats/trace-records.md, "The binary
 * form"). Its writer and its reader share this and nothing else.
 */
#ifndef PM_TRACE_BINARY_H
#define PM_TRACE_BINARY_H

/* The two lowest bits of an item's first byte. */
enum pm_trace_item {
	PM_TRACE_ITEM_OTHER = 0,	/* the whole byte is a pm_trace_other */
	PM_TRACE_ITEM_IN = 1,
	PM_TRACE_ITEM_OUT = 2,
	PM_TRACE_ITEM_MASK = 3,
};

/*
 * The other bits of an event's first byte: which fields follow, because they are not what a reader
 * expects.
 */
enum pm_trace_tag {
	PM_TRACE_TAG_SEQUENCE = 1 << 2,	/* not the last one + 1 */
	PM_TRACE_TAG_CPU = 1 << 3,	/* not that of the last event */
	PM_TRACE_TAG_PROCESS = 1 << 4,	/* not that of the last event of this kind */
	PM_TRACE_TAG_FLAGS = 1 << 5,	/* not those of the last event of this kind */
	PM_TRACE_TAG_SHAPE = 1 << 6,	/* not the same fields are known, or another swap area */
	PM_TRACE_TAG_SECTOR = 1 << 7,	/* not where the last sector of this area leads to expect it */
};

enum pm_trace_other {
	PM_TRACE_OTHER_END = 0,
	PM_TRACE_OTHER_LOST = 4,
	PM_TRACE_OTHER_AREA = 8,
	PM_TRACE_OTHER_PROCESS = 12,
};

/* A shape: the fields that are known. */
enum pm_trace_shape {
	PM_TRACE_HAS_ADDRESS = 1 << 0,
	PM_TRACE_HAS_PFN = 1 << 1,
	PM_TRACE_HAS_TYPE = 1 << 2,	/* the type's byte follows that of the shape */
	PM_TRACE_HAS_SLOT = 1 << 3,
	PM_TRACE_HAS_SECTOR = 1 << 4,
	PM_TRACE_HAS_SERVICE = 1 << 5,
	PM_TRACE_SHAPES = 1 << 6,
};

/* Processes have numbers below this; number 0 is none: pid, tgid and name not known. */
#define PM_TRACE_PROCESSES 4096u
/* Bytes of a swap area's name. */
#define PM_TRACE_NAME_MAX 4096u

#endif
