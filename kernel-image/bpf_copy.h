/* SPDX-License-Identifier: MIT */
/*
 * Copies of the running kernel's memory by one BPF program, which reads a list of (address, length)
 * into memory that it shares with this process. It needs CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN,
 * from Linux 5.10 on, and neither a module nor /proc/kcore. Nothing stays loaded after close().
 *
 * The program checks no address: a read of memory that is not there fails, but a read of a device
 * could have an effect. The caller knows what it may read (may_read() of dump.h).
 */
#ifndef PM_BPF_COPY_H
#define PM_BPF_COPY_H

#include "dump.h"

struct pm_bpf_copy;

/* How the program loops, the best first. */
enum pm_copy_way {
	/* bpf_loop() in a program of type SYSCALL, which lets a kernel with preemption run others */
	PM_COPY_PREEMPTIBLE,
	PM_COPY_LOOP,		/* bpf_loop() (Linux 5.17), which needs the JIT */
	PM_COPY_UNROLLED	/* older kernels */
};

/*
 * Tries the ways from `first` on. Returns 0, or a negative error: why is then a sentence without a
 * full stop.
 */
int pm_bpf_copy_open(struct pm_bpf_copy **copy, enum pm_copy_way first, char *why, size_t room);
void pm_bpf_copy_close(struct pm_bpf_copy *copy);
/* The way that worked. */
enum pm_copy_way pm_bpf_copy_way(const struct pm_bpf_copy *copy);

/* The kernel address of this thread's task_struct. */
__u64 pm_bpf_copy_task(const struct pm_bpf_copy *copy);

/* The memory that the program itself reads into: pm_dump.list_bytes. */
unsigned char *pm_bpf_copy_bytes(const struct pm_bpf_copy *copy);

/* Returns false if the memory cannot be read. bytes: any number. */
bool pm_bpf_copy_read(struct pm_bpf_copy *copy, __u64 at, void *to, size_t bytes);

/*
 * Reads at most PM_ITEMS items with few runs of the program, each of which ends itself after
 * 50 us. What cannot be read is zeroed.
 */
void pm_bpf_copy_list(struct pm_bpf_copy *copy, struct pm_item *items, size_t n);

#endif
