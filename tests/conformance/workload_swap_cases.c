/* SPDX-License-Identifier: MIT */
/* The patterns with pages in swap; see workload_cases.c. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "workload.h"

/* The memory that children use; set before they are started. */
static char *area;

static void swapped_out(void)
{
	area = map_anonymous(16 * PAGE);
	touch(area, 0, 16);
	if (madvise(area + 4 * PAGE, 8 * PAGE, MADV_PAGEOUT))
		skip("no MADV_PAGEOUT");
	if (number_in("/proc/self/status", "VmSwap:") < (long long)(8 * PAGE >> 10))
		skip("no swap, or the kernel did not swap out");
	expect(0, area, 16 * PAGE, "NULL", "4*1a,8*s,4*1a");
}

static void write_three_pages(void)
{
	touch(area, 0, 3);
}

/* Pages 4 to 11 of 16 go to swap. The child maps only the first three, but could read those in
 * swap as well. */
static void swap_out_shared(const char *unit)
{
	pid_t child;

	if (area == MAP_FAILED)
		skip("this kind of shared memory is not available");
	touch(area, 0, 16);
	if (madvise(area + 4 * PAGE, 8 * PAGE, MADV_PAGEOUT))
		skip("no MADV_PAGEOUT");
	if (number_in("/proc/self/smaps_rollup", "Swap:") != (long long)(8 * PAGE >> 10))
		skip("no swap, or the kernel did not swap out");
	child = spawn(write_three_pages);
	expect(0, area, 16 * PAGE, unit, "3*2f,1*1f,8*u,4*1f");
	expect(child, area, 16 * PAGE, unit, "3*2f,1*.,8*u,4*.");
}

static char *map_shared(int fd)
{
	if (fd < 0 || ftruncate(fd, 16 * (off_t)PAGE))
		skip("no file in memory");
	return mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void memfd_swapped_out(void)
{
	area = map_shared(memfd_create("cold", 0));
	swap_out_shared("/memfd:cold (deleted)");
}

static void system_v_swapped_out(void)
{
	int id = shmget(IPC_PRIVATE, 16 * PAGE, IPC_CREAT | 0600);

	area = id < 0 ? MAP_FAILED : shmat(id, NULL, 0);
	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
	swap_out_shared("/SYSV00000000 (deleted)");
}

static void shared_anonymous_swapped_out(void)
{
	area = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	swap_out_shared("/dev/zero (deleted)");
}

/* The file is in devtmpfs, unless another file system is mounted on /dev. */
static void tmpfs_swapped_out(void)
{
	static const char path[] = "/dev/physmem-cold";
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);

	unlink(path);
	area = map_shared(fd);
	swap_out_shared("/dev/physmem-cold (deleted)");
}

/* In a private mapping the written page belongs to the process. Page 1 belongs to the file and is
 * in swap. */
static void private_mapping_swapped_out(void)
{
	int fd = memfd_create("base", 0);
	char *shared = map_shared(fd);

	touch(shared, 0, 2);
	area = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	touch(area, 0, 1);
	if (madvise(shared + PAGE, PAGE, MADV_PAGEOUT) || madvise(area, PAGE, MADV_PAGEOUT))
		skip("no MADV_PAGEOUT");
	munmap(shared, 16 * PAGE);
	if (number_in("/proc/self/smaps_rollup", "Swap:") != (long long)(2 * PAGE >> 10))
		skip("no swap, or the kernel did not swap out");
	expect(0, area, 2 * PAGE, "/memfd:base (deleted)", "1*s,1*u");
}

const struct workload_case workload_swap_cases[] = {
	{ "swapped_out", swapped_out },
	{ "memfd_swapped_out", memfd_swapped_out },
	{ "system_v_swapped_out", system_v_swapped_out },
	{ "shared_anonymous_swapped_out", shared_anonymous_swapped_out },
	{ "tmpfs_swapped_out", tmpfs_swapped_out },
	{ "private_mapping_swapped_out", private_mapping_swapped_out },
	{ NULL, NULL },
};
