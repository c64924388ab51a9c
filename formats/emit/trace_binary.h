/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Constants of the binary form of a paging trace (formats/trace-records.md, "The binary form"),
 * shared by its writer and its reader.
 */
#ifndef PM_TRACE_BINARY_H
#define PM_TRACE_BINARY_H

/* The lowest two bits of an item's first byte. */
enum pm_trace_item {
	PM_TRACE_ITEM_OTHER = 0,	/* the whole byte is a pm_trace_other */
	PM_TRACE_ITEM_IN = 1,
	PM_TRACE_ITEM_OUT = 2,
	PM_TRACE_ITEM_MASK = 3,
};

/*
 * The other bits of an event's first byte: the fields that follow because they differ from their
 * predicted value.
 */
enum pm_trace_tag {
	/* Predicted value of the field: */
	PM_TRACE_TAG_SEQUENCE = 1 << 2,	/* the last one + 1 */
	PM_TRACE_TAG_CPU = 1 << 3,	/* as in the last event */
	PM_TRACE_TAG_PROCESS = 1 << 4,	/* as in the last event of this kind */
	PM_TRACE_TAG_FLAGS = 1 << 5,	/* as in the last event of this kind */
	PM_TRACE_TAG_SHAPE = 1 << 6,	/* the same known fields and swap area as the last */
	PM_TRACE_TAG_SECTOR = 1 << 7,	/* computed from the last sector of the swap area */
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
	PM_TRACE_HAS_TYPE = 1 << 2,	/* the byte of the type follows the shape */
	PM_TRACE_HAS_SLOT = 1 << 3,
	PM_TRACE_HAS_SECTOR = 1 << 4,
	PM_TRACE_HAS_SERVICE = 1 << 5,
	PM_TRACE_SHAPES = 1 << 6,
};

/* Process numbers are below this. Number 0 means that pid, tgid and name are unknown. */
#define PM_TRACE_PROCESSES 4096u
/* Maximum bytes of a swap area's name. */
#define PM_TRACE_NAME_MAX 4096u

#endif
