/* SPDX-License-Identifier: MIT */
/* The patterns. Each case is what its name says; the snapshot must show just that. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#ifndef MADV_POPULATE_READ /* Linux 5.14 */
#define MADV_POPULATE_READ 22
#endif

/* What children work on: set before they are made. */
static char *area;

static void nothing(void)
{
}

static long long number_in(const char *path, const char *word)
{
	char line[256];
	long long value = -1;
	FILE *file = fopen(path, "r");

	while (file && value < 0 && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, word, strlen(word)))
			sscanf(line + strlen(word), "%lld", &value);
	}
	if (file)
		fclose(file);
	return value;
}

static void populate_read(char *start, size_t pages)
{
	if (madvise(start, pages * PAGE, MADV_POPULATE_READ))
		skip("this kernel has no MADV_POPULATE_READ (it came with Linux 5.14)");
}

static void private_anonymous(void)
{
	area = map_anonymous(16 * PAGE);
	touch(area, 0, 16);
	expect(0, area, 16 * PAGE, "16*1a", "NULL");
}

static void touched_here_and_there(void)
{
	area = map_anonymous(3000 * PAGE);
	touch(area, 3, 1);
	touch(area, 510, 4);
	touch(area, 2999, 1);
	expect(0, area, 3000 * PAGE, "3*.,1*1a,506*.,4*1a,2485*.,1*1a", "NULL");
}

static void write_two_pages(void)
{
	touch(area, 5, 2);
}

static void shared_by_fork(void)
{
	pid_t child[3];

	area = map_anonymous(12 * PAGE);
	touch(area, 0, 10);
	for (int i = 0; i < 3; i++)
		child[i] = spawn(i == 1 ? write_two_pages : nothing);
	expect(0, area, 12 * PAGE, "5*4a,2*3a,3*4a,2*.", "NULL");
	expect(child[0], area, 12 * PAGE, "5*4a,2*3a,3*4a,2*.", "NULL");
	expect(child[1], area, 12 * PAGE, "5*4a,2*1a,3*4a,2*.", "NULL");
}

static void write_pages_4_to_7(void)
{
	touch(area, 4, 4);
}

/* The second map of this process has its own page-table entries: counts are entries, not processes. */
static void memfd_mapped_twice(void)
{
	int fd = memfd_create("shared, memory", 0);
	char *again;
	pid_t child;

	if (fd < 0 || ftruncate(fd, 10 * PAGE))
		skip("no memfd_create");
	area = mmap(NULL, 10 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	again = mmap(NULL, 10 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	touch(area, 0, 10);
	touch(again, 0, 6);
	child = spawn(write_pages_4_to_7);
	expect(0, area, 10 * PAGE, "4*2f,2*3f,2*2f,2*1f", "/memfd:shared\\054 memory (deleted)");
	expect(0, again, 10 * PAGE, "4*2f,2*3f,4*.", "/memfd:shared\\054 memory (deleted)");
	expect(child, area, 10 * PAGE, "4*.,2*3f,2*2f,2*.", "/memfd:shared\\054 memory (deleted)");
}

static char *map_file(const char *name, size_t pages)
{
	static const char text[PAGE] = "x";
	int fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	char *map;

	if (fd < 0)
		skip("cannot create a file");
	for (size_t i = 0; i < pages; i++) {
		if (write(fd, text, PAGE) != (ssize_t)PAGE)
			skip("cannot write a file");
	}
	map = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		skip("cannot map a file");
	populate_read(map, pages);
	close(fd);
	return map;
}

/* As the snapshot writes the current folder followed by the name; the folder's name needs no escapes. */
static const char *unit_of(const char *name)
{
	static char unit[4096];
	char folder[3000];

	if (!getcwd(folder, sizeof(folder)))
		skip("no current folder");
	snprintf(unit, sizeof(unit), "%s/%s", folder, name);
	return unit;
}

static void private_file_partly_written(void)
{
	area = map_file("file", 20);
	touch(area, 3, 1);
	touch(area, 7, 2);
	expect(0, area, 20 * PAGE, "3*1f,1*1a,3*1f,2*1a,11*1f", unit_of("file"));
}

static void deleted_file(void)
{
	area = map_file("gone", 4);
	unlink("gone");
	expect(0, area, 4 * PAGE, "4*1f", unit_of("gone (deleted)"));
}

static void hostile_file_name(void)
{
	area = map_file("a,b|c\\d\nT: root , 1, 0", 2);
	expect(0, area, 2 * PAGE, "2*1f", unit_of("a\\054b\\174c\\134d\\012T: root \\054 1\\054 0"));
}

static void map_huge(size_t huge_pages)
{
	area = map_anonymous(huge_pages * HUGE);
	if (madvise(area, huge_pages * HUGE, MADV_HUGEPAGE))
		skip("no transparent huge pages");
	touch(area, 0, huge_pages * HUGE / PAGE);
	if (number_in("/proc/self/smaps_rollup", "AnonHugePages:") < (long long)(huge_pages * HUGE >> 10))
		skip("no transparent huge page was to be had");
}

static void huge_page(void)
{
	map_huge(1);
	expect(0, area, HUGE, "512*1at", "NULL");
}

static void huge_page_shared(void)
{
	pid_t child;

	map_huge(1);
	child = spawn(nothing);
	expect(0, area, HUGE, "512*2at", "NULL");
	expect(child, area, HUGE, "512*2at", "NULL");
}

static void unmap_half_and_write_one(void)
{
	munmap(area + HUGE / 2, HUGE / 2);
	touch(area + HUGE, 100, 1);
}

/* The parent maps both huge pages whole, the child page by page. */
static void huge_pages_partly_shared(void)
{
	pid_t child;

	map_huge(2);
	child = spawn(unmap_half_and_write_one);
	expect(0, area, 2 * HUGE, "256*2at,256*1at,100*2at,1*1at,411*2at", "NULL");
	expect(child, area, HUGE / 2, "256*2at", "NULL");
	expect(child, area + HUGE, HUGE, "100*2at,1*1a,411*2at", "NULL");
}

static void write_page_20(void)
{
	touch(area, 20, 1);
}

static void folios_of_64k(void)
{
	static const char stats[] = "/sys/kernel/mm/transparent_hugepage/hugepages-64kB/stats/anon_fault_alloc";
	long long before = number_in(stats, "");
	pid_t child;

	area = map_anonymous(64 * PAGE);
	madvise(area, 64 * PAGE, MADV_HUGEPAGE);
	touch(area, 0, 64);
	if (before < 0 || number_in(stats, "") < before + 4)
		skip("no folio of 64 KiB was to be had");
	child = spawn(write_page_20);
	madvise(area + 40 * PAGE, 4 * PAGE, MADV_DONTNEED);
	expect(0, area, 64 * PAGE, "20*2at,1*1at,19*2at,4*.,20*2at", "NULL");
	expect(child, area, 64 * PAGE, "20*2at,1*1a,19*2at,4*1at,20*2at", "NULL");
}

/* Eight equal pages become one that is mapped eight times. */
static void merged_by_ksm(void)
{
	area = map_anonymous(8 * PAGE);
	for (size_t i = 0; i < 8; i++)
		memset(area + i * PAGE, 0x5a, PAGE);
	if (madvise(area, 8 * PAGE, MADV_MERGEABLE))
		skip("no KSM in this kernel");
	for (int i = 0; number_in("/proc/self/ksm_stat", "ksm_merging_pages") < 8; i++) {
		if (i == 200)
			skip("KSM did not merge the pages within 10 s");
		usleep(50000);
	}
	expect(0, area, 8 * PAGE, "8*8ak", "NULL");
}

static void zero_page(void)
{
	area = map_anonymous(10 * PAGE);
	populate_read(area, 8);
	touch(area, 2, 1);
	expect(0, area, 10 * PAGE, "2*0z,1*1a,5*0z,2*.", "NULL");
}

static void huge_zero_page(void)
{
	area = map_anonymous(HUGE);
	madvise(area, HUGE, MADV_HUGEPAGE);
	populate_read(area, 1);
	expect(0, area, HUGE, "512*0z", "NULL");
}

static void hugetlb_page(void)
{
	pid_t child;

	area = mmap(NULL, 2 * HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);
	if (area == MAP_FAILED)
		skip("no hugetlb pages");
	touch(area, 0, 1);
	child = spawn(nothing);
	expect(0, area, 2 * HUGE, "512*2h,512*.", "/anon_hugepage (deleted)");
	expect(child, area, 2 * HUGE, "512*2h,512*.", "/anon_hugepage (deleted)");
}

static void resident_without_access(void)
{
	area = map_anonymous(8 * PAGE);
	touch(area, 0, 6);
	mprotect(area, 8 * PAGE, PROT_NONE);
	expect(0, area, 8 * PAGE, "6*1a,2*.", "NULL");
}

/* As large as the shadow of an address sanitizer, and nearly empty. */
static void nearly_empty_terabytes(void)
{
	const size_t pages = (size_t)1 << 32;

	area = map_anonymous(pages * PAGE);
	touch(area, 7, 1);
	for (size_t i = 1; i <= 1000; i++)
		touch(area, i * 1000000, 2);
	printf("expect %d %zx %zu 7*.,1*1a,999992*.", getpid(), (size_t)area, pages * PAGE);
	for (size_t i = 1; i <= 1000; i++)
		printf(",2*1a,%zu*.", i < 1000 ? (size_t)999998 : pages - 1000000002);
	printf(" NULL\n");
}

static void swapped_out(void)
{
	area = map_anonymous(16 * PAGE);
	touch(area, 0, 16);
	if (madvise(area + 4 * PAGE, 8 * PAGE, MADV_PAGEOUT))
		skip("no MADV_PAGEOUT");
	if (number_in("/proc/self/status", "VmSwap:") < 32)
		skip("no swap, or the kernel did not swap out");
	expect(0, area, 16 * PAGE, "4*1a,8*s,4*1a", "NULL");
}

static void *stand_still(void *unused)
{
	pause();
	return unused;
}

/* Four threads are four tasks of one address space: its pages are written once. */
static void threads(void)
{
	pthread_t thread;

	area = map_anonymous(4 * PAGE);
	touch(area, 0, 4);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, stand_still, NULL);
	expect(0, area, 4 * PAGE, "4*1a", "NULL");
}

/* The child runs in its parent's memory; the parent waits for it in the kernel. */
static void vfork_child(void)
{
	pid_t parent = getpid();

	area = map_anonymous(4 * PAGE);
	touch(area, 0, 4);
	if (vfork() == 0) {
		expect(parent, area, 4 * PAGE, "4*1a", "NULL");
		tell_process(getpid());
		tell_same_memory(getpid(), parent);
		hold_still();
	}
}

const struct workload_case workload_cases[] = {
	{ "private_anonymous", private_anonymous },
	{ "touched_here_and_there", touched_here_and_there },
	{ "shared_by_fork", shared_by_fork },
	{ "memfd_mapped_twice", memfd_mapped_twice },
	{ "private_file_partly_written", private_file_partly_written },
	{ "deleted_file", deleted_file },
	{ "hostile_file_name", hostile_file_name },
	{ "huge_page", huge_page },
	{ "huge_page_shared", huge_page_shared },
	{ "huge_pages_partly_shared", huge_pages_partly_shared },
	{ "folios_of_64k", folios_of_64k },
	{ "merged_by_ksm", merged_by_ksm },
	{ "zero_page", zero_page },
	{ "huge_zero_page", huge_zero_page },
	{ "hugetlb_page", hugetlb_page },
	{ "resident_without_access", resident_without_access },
	{ "nearly_empty_terabytes", nearly_empty_terabytes },
	{ "swapped_out", swapped_out },
	{ "threads", threads },
	{ "vfork_child", vfork_child },
	{ NULL, NULL },
};
