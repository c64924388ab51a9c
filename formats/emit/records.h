/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The facts of each snapshot record, as a collector fills them in. formats/physmem-records.md is
 * their specification. Addresses are bytes, sizes are bytes, counts are pages, times of tasks are
 * in 1/hz seconds; all 64 bit, so that a 32-bit kernel with more than 4 GiB and a dump of another
 * machine are ordinary cases.
 */
#ifndef PM_RECORDS_H
#define PM_RECORDS_H

#include "port.h"

/* Any bytes, not terminated; the emitter escapes what would break a record. */
struct pm_text {
	const char *at;
	size_t len;
};

/* H: strings are short words without comma, space or '='; NULL leaves the key out. */
struct pm_header {
	const char *arch;
	const char *kernel;
	const char *collector;	/* kmod, crash, proc */
	const char *pte;	/* raw: M: values carry the page-table bits; none: frame addresses only */
	const char *prot;	/* raw or none: the page-protection field of V: */
	const char *count;	/* mapcount, refs, average */
	const char *pages;	/* all; none: M: and S: lines were left out */
	const char *pfn;	/* shown; hidden: the kernel kept frame numbers from the collector */
	__u64 page_size;
	__u64 time_ns;		/* since 1970, UTC */
	__u64 uptime_ns;	/* since boot, suspended time counted */
	__u64 hz;		/* unit of T: times */
	__u64 ram_pages;
	__u64 phys_mask;	/* physical address = M: value & phys_mask */
	const char *areas;	/* none: V: P: M: S: were left out, tasks and counters are all there is; NULL: they are there */
	const char *host;	/* name of the machine, as `uname -n` says: left out when nobody gave it one */
        const char* machine_id; /* of this machine, the same for all its boots; NULL: not known */
        const char *boot_id;	/* of this boot, as /proc/sys/kernel/random/boot_id; NULL: not known */
        bool has_sequence;
        __u64 sequence; /* number of this snapshot in its series, from 0 */
};

/* G: one counter, named area.counter_unit. */
struct pm_counter {
	const char *name;
	__u64 value;
};

/* T: one thread. */
struct pm_task {
	struct pm_text comm;
	__u64 pid;
	__u64 mm;		/* identity of the address space; 0: none */
	__u64 cpu;
	__u64 min_flt, maj_flt, cmin_flt, cmaj_flt, utime, stime;
	__u64 tgid, start_time, ppid, uid;
	bool is_leader;		/* the fields below are written */
	__u64 group_min_flt, group_maj_flt, group_utime, group_stime;
	struct pm_text cgroup;
};

/* V: one area. */
struct pm_vma {
	__u64 start, last;	/* last is inside */
	__u64 resident;		/* bytes */
	__u64 prot;
	__u64 flags;		/* PM_VMA_* */
	struct pm_text unit;	/* path or label; empty is written NULL */
	__u64 offset;		/* of start in the file, bytes */
	__u32 dev_major, dev_minor;
	__u64 inode;
	bool has_raw_flags;
	__u64 raw_flags;	/* vm_flags of this kernel */
};

/* P: pages of one area. */
struct pm_page_counts {
	__u64 user, executable, read_only, single_use, shared, swapped;
	__u64 unlisted;		/* in swap too, but with an unknown slot, so not in S:; 0 is not written */
};

/* M: one resident page. */
struct pm_page {
	__u64 va, pte;
	__u64 count;
	__u64 flags;		/* PM_PAGE_* */
};

/* S: one swapped-out page. */
struct pm_swap {
	__u64 va, type, offset;
};

/* F: frames that follow each other and are alike. */
struct pm_frame_run {
	__u64 first_pfn, pages, flags, count;
};

/* E: what the snapshot holds, and what it lacks. */
struct pm_end {
	__u64 tasks, areas, pages, swapped, frames;
	__u64 excluded;		/* pages whose contents a dump does not hold; 0 is not written */
};

#endif
