/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * One swap-in or swap-out, as it passes from the kernel to user space (formats/trace-records.md):
 * by the character device of physmem_paging.ko, by the BPF ring buffer, and in the datagrams of
 * pftraced.
 *
 * Fixed width, no holes, the byte order of the machine (little endian in datagrams). Fields are
 * only ever added at the end, under a new PM_PAGING_RECORD_VERSION.
 */
#ifndef PM_PAGING_RECORD_H
#define PM_PAGING_RECORD_H

#include "port.h"

#define PM_PAGING_RECORD_VERSION 1
#define PM_PAGING_COMM 16		/* bytes of a task's name, its 0 included */

/*
 * Not known. Addresses, frames, sectors and times have it, and counts nowhere. Processes are
 * unknown as 0.
 */
#define PM_PAGING_UNKNOWN (~(__u64)0)
#define PM_PAGING_NO_TYPE 255u		/* of a swap area: not known */
#define PM_PAGING_NO_CPU 0xffffu	/* not known; of PM_PAGING_LOST: lost on the way here */

enum pm_paging_kind {
	PM_PAGING_IN = 1,
	PM_PAGING_OUT = 2,
	PM_PAGING_LOST = 3,		/* slot: events of this processor that found no room since its last such record */
};

enum pm_paging_flag {
	PM_PAGING_IO = 1 << 0,		/* /proc/vmstat counts it: pswpin, pswpout */
	PM_PAGING_READAHEAD = 1 << 1,	/* read beside the page that was asked for; process: the reader, address: unknown */
	PM_PAGING_CACHE_HIT = 1 << 2,	/* a fault that found its page in the swap cache: nothing was read for it */
	PM_PAGING_ZSWAP = 1 << 3,	/* from or to the compressed pool in memory; no IO then */
	PM_PAGING_ZRAM = 1 << 4,	/* the swap area is a zram device: IO that costs CPU time, not a disk's */
	PM_PAGING_MAJOR = 1 << 5,	/* the fault returned VM_FAULT_MAJOR: pgmajfault */
	PM_PAGING_RETRY = 1 << 6,	/* the fault will be tried again: its time goes on in a later record, a cache hit */
	PM_PAGING_ZERO = 1 << 7,	/* a page of zeros: no IO was needed (Linux 6.12 and later) */
	PM_PAGING_NO_FAULT = 1 << 8,	/* read for something else than a fault on an anonymous page: shared memory, swapoff */
	PM_PAGING_SHARED = 1 << 9,	/* more processes than the one named map the page */
	PM_PAGING_OWNER_MAPPED = 1 << 10, /* out: the owner was read in the page tables as the page was unmapped */
	PM_PAGING_OWNER_KEPT = 1 << 11,	/* out: the owner is whoever the page was last seen with in this trace, or in a snapshot */
	PM_PAGING_FAILED = 1 << 12,	/* the fault ended with an error (VM_FAULT_ERROR) */
};

struct pm_paging_record {
	__u64 sequence;		/* from 1, over in, out, and all processors; a gap is events that were lost. 0 for PM_PAGING_LOST */
	__u64 time_ns;		/* CLOCK_MONOTONIC; of a fault its end, of a read or write the moment it was asked for */
	__u64 address;		/* virtual, of the page's first byte */
	__u64 pfn;
	__u64 slot;		/* in its swap area, in pages */
	__u64 sector;		/* of 512 bytes from the begin of the area's device; the kernel side leaves it unknown */
	__u64 service_ns;	/* of a fault, from entry to return of do_swap_page() */
	__u32 pid;		/* the thread, as the host numbers it; of a swap-out the owner, not the reclaimer */
	__u32 tgid;
	__u32 flags;		/* pm_paging_flag */
	__u16 cpu;
	__u8 kind;		/* pm_paging_kind */
	__u8 swap_type;		/* which swap area, as the kernel numbers them */
	char comm[PM_PAGING_COMM];	/* of pid; ends with a 0 */
};

#endif
