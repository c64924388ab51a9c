/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The fields of each snapshot record, which a collector fills in. formats/physmem-records.md
 * specifies them. Addresses and sizes are in bytes, counts in pages, times of tasks in 1/hz
 * seconds. All are 64-bit, so that 32-bit kernels with more than 4 GiB and dumps of other machines
 * need no special case.
 */
#ifndef PM_RECORDS_H
#define PM_RECORDS_H

#include "port.h"

/* Any bytes, not terminated. The emitter escapes bytes that would break a record. */
struct pm_text {
	const char *at;
	size_t len;
};

/* H: strings are short words without comma, space or '='. NULL omits the key. */
struct pm_header {
	const char *arch;
	const char *kernel;
	const char *collector;	/* kmod, crash, proc */
	const char *pte;	/* raw: M: values have page-table bits; none: only addresses */
	const char *prot;	/* raw or none: the page-protection field of V: */
	const char *count;	/* mapcount, refs, average */
	const char *pages;	/* all; none: no M: and S: lines */
	const char *pfn;	/* shown; hidden: the kernel did not reveal frame numbers */
	__u64 page_size;
	__u64 time_ns;		/* since 1970, UTC */
	__u64 uptime_ns;	/* since boot, with suspended time; 0: unknown, not written */
	__u64 hz;		/* unit of T: times */
	__u64 ram_pages;
	__u64 phys_mask;	/* physical address = M: value & phys_mask */
	const char *areas;	/* none: only tasks and counters, no V: P: M: S:; NULL: all */
	const char *ram;	/* all; totals: Z: and counters, no R:; NULL: none of them */
	const char *ram_by;	/* proc, kcore, bpf, kmod, crash: how owners and classes were found */
	const char *files;	/* open, named: O: lines have counts of these files; NULL: they have none */
	const char *host;	/* as `uname -n`; default names are not written */
	const char *machine_id;	/* the same for all boots of the machine; NULL: unknown */
	const char *boot_id;	/* as /proc/sys/kernel/random/boot_id; NULL: unknown */
	bool has_sequence;
	__u64 sequence;		/* number of this snapshot in its series, from 0 */
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

/* V: one VMA. */
struct pm_vma {
	__u64 start, last;	/* last is the last byte */
	__u64 resident;		/* bytes */
	__u64 prot;
	__u64 flags;		/* PM_VMA_* */
	struct pm_text unit;	/* path or label; written as NULL if empty */
	__u64 offset;		/* of start in the file, bytes */
	__u32 dev_major, dev_minor;
	__u64 inode;
	bool has_raw_flags;
	__u64 raw_flags;	/* vm_flags of this kernel */
};

/* P: pages of one VMA. */
struct pm_page_counts {
	__u64 user, executable, read_only, single_use, shared, swapped;
	__u64 unlisted;		/* in swap with unknown slot, so not in S:; 0 is not written */
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

/*
 * Page-table entries that stand for no page: markers of the kernel (include/linux/swapops.h). Not
 * counted: the marker of a page that is lost.
 */
struct pm_markers {
	__u64 guard;		/* MADV_GUARD_INSTALL, since Linux 6.13 */
	__u64 write_protect;	/* userfaultfd: a page that comes here will be protected */
};

/* Bits of a marker, where other entries have the number of a slot or a frame: PTE_MARKER_*. */
#define PM_MARKER_WRITE_PROTECT 1u
#define PM_MARKER_LOST 2u
#define PM_MARKER_GUARD 4u
#define PM_MAX_MARKER 15u	/* of all bits; no page of a process is in these frames */

/*
 * Counts an entry that is neither empty, nor present, nor in swap. Returns false if it is no
 * marker: it then has the number of a frame, and no page of a process is in frame 1 to 7.
 */
static inline bool pm_take_marker(struct pm_markers *markers, __u64 offset)
{
	if (offset > 7 || offset & PM_MARKER_LOST)
		return false;
	if (offset & PM_MARKER_GUARD)
		markers->guard++;
	else if (offset & PM_MARKER_WRITE_PROTECT)
		markers->write_protect++;
	return offset != 0;
}

/* E: totals of the snapshot. */
struct pm_end {
	__u64 tasks, areas, pages, swapped;
	__u64 excluded;		/* pages that are not in the dump; 0 is not written */
};

#endif
