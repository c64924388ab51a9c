/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Records of the whole of RAM: zones (Z:), owners (O:) and runs of frames (R:).
 * formats/physmem-records.md specifies them. Compiled unchanged into all collectors, as emit.h is.
 */
#ifndef PM_RAM_H
#define PM_RAM_H

#include "emit.h"

/* What a frame is used for: C(NAME, word). A frame has one class. */
#define PM_RAM_CLASSES(C) \
	C(HOLE, "hole") \
	C(OFFLINE, "offline") \
	C(RESERVED, "reserved") \
	C(KERNEL_CODE, "kernel_code") \
	C(KERNEL_DATA, "kernel_data") \
	C(CRASH_KERNEL, "crash_kernel") \
	C(MEMMAP, "memmap") \
	C(FREE, "free") \
	C(FREE_PERCPU, "free_percpu") \
	C(SLAB, "slab") \
	C(LARGE_KMALLOC, "large_kmalloc") \
	C(PGTABLE, "pgtable") \
	C(KERNEL_STACK, "kernel_stack") \
	C(VMALLOC, "vmalloc") \
	C(MODULE, "module") \
	C(PERCPU, "percpu") \
	C(KERNEL, "kernel") \
	C(PAGE_POOL, "page_pool") \
	C(ZSMALLOC, "zsmalloc") \
	C(BALLOON, "balloon") \
	C(FILE, "file") \
	C(BLOCK, "block") \
	C(SHMEM, "shmem") \
	C(ANON, "anon") \
	C(HUGETLB, "hugetlb") \
	C(ZERO, "zero") \
	C(POISON, "poison") \
	C(UNMARKED, "unmarked") \
	C(UNKNOWN, "unknown")

#define PM_RAM_ENUMERATOR(name, word) PM_RAM_##name,
enum pm_ram_class { PM_RAM_CLASSES(PM_RAM_ENUMERATOR) PM_RAM_CLASS_COUNT };

/* Flags of M: that change from moment to moment or only describe large pages. R: has the others. */
#define PM_RAM_FLAGS_LEFT_OUT \
	(PM_PAGE_LOCKED | PM_PAGE_RECLAIM | PM_PAGE_IDLE | PM_PAGE_COMPOUND_HEAD | \
	 PM_PAGE_COMPOUND_TAIL)

/* place of a free run: the order of its blocks, or this. */
#define PM_RAM_ORDER_UNKNOWN 0x3fu

/* Z: one zone of a node. Frames and counts in pages. */
struct pm_zone {
	__u64 node;
	const char *name;	/* DMA, Normal ... */
	__u64 first_pfn;
	__u64 spanned;		/* frames from first_pfn on, with holes */
	__u64 present;		/* without holes */
	__u64 managed;		/* managed by the page allocator */
	__u64 free;
	__u64 percpu_lists;	/* free pages on per-CPU lists; not in free */
	__u64 min, low, high;	/* watermarks */
};

enum pm_owner_kind {
	PM_OWNER_FILE,
	PM_OWNER_SLAB,
	PM_OWNER_CGROUP,
	PM_OWNER_TASK,
	PM_OWNER_CODE,
	PM_OWNER_MOUNT,	/* a file system with its place; it has no frames itself */
};

/* O: an owner of frames. Which fields are used depends on the kind. */
struct pm_ram_owner {
	enum pm_owner_kind kind;
	__u64 id;		/* from 1, in R: lines of this snapshot */
	/*
	 * file: path; slab: cache; cgroup: path; code: function+offset, [module] or variable;
	 * mount: mount point
	 */
	struct pm_text name;
	/* File and mount. */
	__u32 dev_major, dev_minor;
	/* File. */
	struct pm_text file_system;	/* type: ext4 */
	__u64 inode, bytes, links;
	struct pm_text build_id;	/* hex digits; empty: unknown or not an ELF file */
	/* File of a snapshot with files=: its pages in the page cache. */
	bool is_counted;
	bool has_states;	/* dirty and writeback are known */
	__u64 cached, dirty, writeback;
	/* Slab. */
	__u64 object_bytes, objects_per_slab;
	/* Cgroup: number is its id, which is its inode in cgroupfs. Task: number is its pid. */
	__u64 number;
	bool is_dying;
	__u64 start_time;	/* of a task, as in T: */
};

/* R: consecutive frames that differ only in their number and place. */
struct pm_ram_run {
	__u64 first_pfn, pages;
	enum pm_ram_class class_;
	__u64 owner, cgroup;	/* ids of O: lines; 0: none, or unknown */
	__u64 flags;		/* PM_PAGE_*, without PM_RAM_FLAGS_LEFT_OUT */
	__u64 count;		/* as in M: */
	__u64 place;		/* of a file's frame: its page in the file; of a free block: order */
};

/* Joins runs that follow each other, and counts what was written. */
struct pm_ram_writer {
	struct pm_out *out;
	struct pm_ram_run last;	/* not yet written; pages 0: none */
	__u64 runs, frames, owners;
};

/* D: a process holds memory by a descriptor. */
struct pm_holder {
	__u64 pid, descriptor;
	const char *kind;	/* memfd, tmpfs, system_v, hugetlb, deleted, dmabuf */
	__u32 dev_major, dev_minor;
	__u64 inode, bytes;
	bool has_pages;		/* pages are known */
	__u64 pages;		/* that the file has, also in swap */
	struct pm_text name;	/* as in /proc/PID/fd */
};

#ifdef __cplusplus
extern "C" {
#endif

const char *pm_ram_class_word(enum pm_ram_class class_);

void pm_emit_zone(struct pm_out *out, const struct pm_zone *zone);
/* The counters zone.NODE.NAME.first and .spanned, before the first T:. */
void pm_emit_zone_place(struct pm_out *out, const struct pm_zone *zone);

void pm_emit_holder(struct pm_out *out, const struct pm_holder *holder);

void pm_ram_begin(struct pm_ram_writer *writer, struct pm_out *out);
/* An owner must be written before the first run that has it. */
void pm_ram_put_owner(struct pm_ram_writer *writer, const struct pm_ram_owner *owner);
/* Runs must ascend. */
void pm_ram_put_run(struct pm_ram_writer *writer, const struct pm_ram_run *run);
/* Writes the last run, and the sums as counters: ram.runs, ram.frames, ram.owners. */
void pm_ram_end(struct pm_ram_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
