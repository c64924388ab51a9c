/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Record of one swap-in or swap-out (formats/trace-records.md). It is used by the character device
 * of physmem_paging.ko, the BPF ring buffer, and the datagrams of pftraced.
 *
 * Fixed width, no padding, native byte order (little endian in datagrams). New fields are only
 * added at the end, with a new PM_PAGING_RECORD_VERSION.
 */
#ifndef PM_PAGING_RECORD_H
#define PM_PAGING_RECORD_H

#include "port.h"

#define PM_PAGING_RECORD_VERSION 1
#define PM_PAGING_COMM 16		/* bytes of a task's name with its final 0 */

/*
 * An unknown address, frame, sector or time has this value, which is never part of a sum. An
 * unknown process id is 0.
 */
#define PM_PAGING_UNKNOWN (~(__u64)0)
#define PM_PAGING_NO_TYPE 255u		/* unknown swap area */
#define PM_PAGING_NO_CPU 0xffffu	/* unknown; for PM_PAGING_LOST: lost in transport */

enum pm_paging_kind {
	PM_PAGING_IN = 1,
	PM_PAGING_OUT = 2,
	/* slot: the number of events this CPU lost (ring full) since its last such record */
	PM_PAGING_LOST = 3,
};

enum pm_paging_flag {
	/* Counted in /proc/vmstat: pswpin, pswpout. */
	PM_PAGING_IO = 1 << 0,
	/* Read ahead of a faulting page. The process is the reader; the address is unknown. */
	PM_PAGING_READAHEAD = 1 << 1,
	/* The fault found its page in the swap cache, so nothing was read for it. */
	PM_PAGING_CACHE_HIT = 1 << 2,
	/* From or to zswap, the compressed pool in memory. Not combined with IO. */
	PM_PAGING_ZSWAP = 1 << 3,
	/* The swap area is a zram device: IO costs CPU time instead of disk time. */
	PM_PAGING_ZRAM = 1 << 4,
	/* The fault returned VM_FAULT_MAJOR: counted in pgmajfault. */
	PM_PAGING_MAJOR = 1 << 5,
	/* The fault will be retried. A later record, a cache hit, has the rest of its time. */
	PM_PAGING_RETRY = 1 << 6,
	/* A zero-filled page: no IO was needed (Linux 6.12 and later). */
	PM_PAGING_ZERO = 1 << 7,
	/* Not read for a fault on an anonymous page, but for shared memory or swapoff. */
	PM_PAGING_NO_FAULT = 1 << 8,
	/* Processes other than the recorded one also map the page. */
	PM_PAGING_SHARED = 1 << 9,
	/* Out: the owner was read from the page tables when the page was unmapped. */
	PM_PAGING_OWNER_MAPPED = 1 << 10,
	/* Out: the owner is inferred: the page's last known owner in this trace or a snapshot. */
	PM_PAGING_OWNER_KEPT = 1 << 11,
	/* The fault ended with an error (VM_FAULT_ERROR). */
	PM_PAGING_FAILED = 1 << 12,
};

struct pm_paging_record {
	/* From 1, over all kinds and CPUs. A gap means lost events. 0 for PM_PAGING_LOST. */
	__u64 sequence;
	/* CLOCK_MONOTONIC: the end of a fault, or the time a read or write was requested. */
	__u64 time_ns;
	__u64 address;		/* virtual, of the page's first byte */
	__u64 pfn;
	__u64 slot;		/* in its swap area, in pages */
	/* In 512 bytes, from the start of the swap area's device. The kernel leaves it unknown. */
	__u64 sector;
	__u64 service_ns;	/* of a fault, from entry to return of do_swap_page() */
	/* Thread id in the initial pid namespace. For a swap-out the owner, not the reclaimer. */
	__u32 pid;
	__u32 tgid;
	__u32 flags;		/* pm_paging_flag */
	__u16 cpu;
	__u8 kind;		/* pm_paging_kind */
	__u8 swap_type;		/* the kernel's number of the swap area */
	char comm[PM_PAGING_COMM];	/* of pid; 0-terminated */
};

#endif
