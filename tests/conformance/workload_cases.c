/* SPDX-License-Identifier: MIT */
/* The patterns. Each case maps the memory that its name describes. The snapshot must show exactly
 * that. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/mman.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* since Linux 6.13 */
#endif

/* The memory that children use; set before they are started. */
static char *area;

static void nothing(void)
{
}

static void private_anonymous(void)
{
	area = map_anonymous(16 * PAGE);
	touch(area, 0, 16);
	expect(0, area, 16 * PAGE, "NULL", "16*1a");
}

static void touched_sparsely(void)
{
	area = map_anonymous(3000 * PAGE);
	touch(area, 3, 1);
	touch(area, 510, 4);
	touch(area, 2999, 1);
	expect(0, area, 3000 * PAGE, "NULL", "3*.,1*1a,506*.,4*1a,2485*.,1*1a");
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
	expect(0, area, 12 * PAGE, "NULL", "5*4a,2*3a,3*4a,2*.");
	expect(child[0], area, 12 * PAGE, "NULL", "5*4a,2*3a,3*4a,2*.");
	expect(child[1], area, 12 * PAGE, "NULL", "5*4a,2*1a,3*4a,2*.");
}

static void write_pages_4_to_7(void)
{
	touch(area, 4, 4);
}

/* The second mapping of this process has its own page-table entries. Use counts are numbers of
 * entries, not of processes. */
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
	expect(0, area, 10 * PAGE, "/memfd:shared\\054 memory (deleted)", "4*2f,2*3f,2*2f,2*1f");
	expect(0, again, 10 * PAGE, "/memfd:shared\\054 memory (deleted)", "4*2f,2*3f,4*.");
	expect(child, area, 10 * PAGE, "/memfd:shared\\054 memory (deleted)", "4*.,2*3f,2*2f,2*.");
}

static char *map_file(const char *name, size_t pages)
{
	char text[PAGE];
	int fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	char *map;

	if (fd < 0)
		skip("cannot create a file");
	memset(text, 'x', PAGE);
	for (size_t i = 0; i < pages; i++) {
		if (write(fd, text, PAGE) != (ssize_t)PAGE)
			skip("cannot write a file");
	}
	map = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		skip("cannot map a file");
	read_pages(map, 0, pages);
	close(fd);
	return map;
}

/* The path of a file in the current folder, as the snapshot writes it. The folder's name needs no
 * escapes. */
static const char *unit_of(const char *name)
{
	static char unit[4096];
	char folder[3000];

	if (!getcwd(folder, sizeof(folder)))
		skip("cannot find the current folder");
	snprintf(unit, sizeof(unit), "%s/%s", folder, name);
	return unit;
}

static void private_file_partly_written(void)
{
	area = map_file("file", 20);
	touch(area, 3, 1);
	touch(area, 7, 2);
	expect(0, area, 20 * PAGE, unit_of("file"), "3*1f,1*1a,3*1f,2*1a,11*1f");
}

static void deleted_file(void)
{
	area = map_file("gone", 4);
	unlink("gone");
	expect(0, area, 4 * PAGE, unit_of("gone (deleted)"), "4*1f");
}

static void hostile_file_name(void)
{
	area = map_file("a,b|c\\d\nT: root , 1, 0", 2);
	expect(0, area, 2 * PAGE, unit_of("a\\054b\\174c\\134d\\012T: root \\054 1\\054 0"), "2*1f");
}

static void map_huge(size_t huge_pages)
{
	area = map_anonymous(huge_pages * HUGE);
	if (madvise(area, huge_pages * HUGE, MADV_HUGEPAGE))
		skip("no transparent huge pages");
	touch(area, 0, huge_pages * HUGE / PAGE);
	if (number_in("/proc/self/smaps_rollup", "AnonHugePages:") < (long long)(huge_pages * HUGE >> 10))
		skip("the kernel provided no transparent huge page");
}

static void huge_page(void)
{
	map_huge(1);
	expect(0, area, HUGE, "NULL", "%zu*1at", HUGE / PAGE);
}

static void huge_page_shared(void)
{
	pid_t child;

	map_huge(1);
	child = spawn(nothing);
	expect(0, area, HUGE, "NULL", "%zu*2at", HUGE / PAGE);
	expect(child, area, HUGE, "NULL", "%zu*2at", HUGE / PAGE);
}

static size_t page_within(void)
{
	return HUGE / PAGE / 5;
}

static void unmap_half_and_write_one(void)
{
	munmap(area + HUGE / 2, HUGE / 2);
	touch(area + HUGE, page_within(), 1);
}

/* The parent maps both huge pages as a whole, the child maps them page by page. */
static void huge_pages_partly_shared(void)
{
	size_t half, before, after;
	pid_t child;

	map_huge(2);
	half = HUGE / PAGE / 2;
	before = page_within();
	after = 2 * half - before - 1;
	child = spawn(unmap_half_and_write_one);
	expect(0, area, 2 * HUGE, "NULL", "%zu*2at,%zu*1at,%zu*2at,1*1at,%zu*2at", half, half, before,
		after);
	expect(child, area, HUGE / 2, "NULL", "%zu*2at", half);
	expect(child, area + HUGE, HUGE, "NULL", "%zu*2at,1*1a,%zu*2at", before, after);
}

/* One huge page, which its only process maps page by page, with a hole and a part without
 * access. */
static void huge_page_in_pieces(void)
{
	const size_t all = HUGE / PAGE;

	map_huge(1);
	madvise(area + 3 * PAGE, 2 * PAGE, MADV_DONTNEED);
	mprotect(area + (all - 4) * PAGE, 4 * PAGE, PROT_NONE);
	expect(0, area, HUGE, "NULL", "3*1at,2*.,%zu*1at", all - 5);
}

static void write_page_20(void)
{
	touch(area, 20, 1);
}

static void folios_of_64k(void)
{
	static const char stats[] =
		"/sys/kernel/mm/transparent_hugepage/hugepages-64kB/stats/anon_fault_alloc";
	long long before = number_in(stats, "");
	pid_t child;

	if (PAGE != 4096)
		skip("the pages of this machine are not of 4 KiB");
	area = map_anonymous(64 * PAGE);
	madvise(area, 64 * PAGE, MADV_HUGEPAGE);
	touch(area, 0, 64);
	if (before < 0 || number_in(stats, "") < before + 4)
		skip("the kernel provided no folio of 64 KiB");
	child = spawn(write_page_20);
	madvise(area + 40 * PAGE, 4 * PAGE, MADV_DONTNEED);
	expect(0, area, 64 * PAGE, "NULL", "20*2at,1*1at,19*2at,4*.,20*2at");
	expect(child, area, 64 * PAGE, "NULL", "20*2at,1*1a,19*2at,4*1at,20*2at");
}

/* The number of pages that were merged into another: of this process if the kernel reports it,
 * otherwise (before 6.1) of the machine. */
static long long merged_pages(void)
{
	const long long own = number_in("/proc/self/ksm_stat", "ksm_merging_pages");

	return own >= 0 ? own : number_in("/sys/kernel/mm/ksm/pages_sharing", "") + 1;
}

/* Eight equal pages become one page that is mapped eight times. */
static void merged_by_ksm(void)
{
	area = map_anonymous(8 * PAGE);
	for (size_t i = 0; i < 8; i++)
		memset(area + i * PAGE, 0x5a, PAGE);
	if (madvise(area, 8 * PAGE, MADV_MERGEABLE))
		skip("no KSM in this kernel");
	while (merged_pages() < 8) {
		if (number_in("/sys/kernel/mm/ksm/run", "") != 1)
			skip("KSM cannot be enabled here");
		usleep(50000);
	}
	expect(0, area, 8 * PAGE, "NULL", "8*8ak");
}

/* A guest of PVM maps ordinary frames, which are anonymous memory. */
static bool maps_zero_page(void)
{
	const size_t pages = 64;
	const long long before = number_in("/proc/self/smaps_rollup", "Anonymous:");
	char *probe = map_anonymous(pages * PAGE);
	bool is_mapped;

	read_pages(probe, 0, pages);
	is_mapped = number_in("/proc/self/smaps_rollup", "Anonymous:") - before <
		    (long long)(pages * PAGE >> 10);
	munmap(probe, pages * PAGE);
	return is_mapped;
}

static void zero_page(void)
{
	if (!maps_zero_page())
		skip("this kernel maps no zero page");
	area = map_anonymous(10 * PAGE);
	read_pages(area, 0, 8);
	touch(area, 2, 1);
	expect(0, area, 10 * PAGE, "NULL", "2*0z,1*1a,5*0z,2*.");
}

static void huge_zero_page(void)
{
	area = map_anonymous(HUGE);
	madvise(area, HUGE, MADV_HUGEPAGE);
	if (!maps_zero_page() ||
	    number_in("/sys/kernel/mm/transparent_hugepage/use_zero_page", "") != 1)
		skip("this kernel does not use the huge zero page");
	read_pages(area, 0, 1);
	expect(0, area, HUGE, "NULL", "%zu*0z", HUGE / PAGE);
}

/* Two pages from the pool of this size. The first is resident and shared with a child. */
static void hugetlb_of(size_t bytes)
{
	const int size = __builtin_ctzl(bytes) << MAP_HUGE_SHIFT;
	static const char unit[] = "/anon_hugepage (deleted)";
	char path[100];
	pid_t child;

	/* The pool may be empty although it was enabled. The first access would then end the program. */
	snprintf(path, sizeof(path), "/sys/kernel/mm/hugepages/hugepages-%zukB/free_hugepages",
		bytes >> 10);
	if (number_in(path, "") < 2)
		skip("the kernel has no two free hugetlb pages of this size");
	area = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_NORESERVE | size, -1, 0);
	if (area == MAP_FAILED)
		skip("no hugetlb pages of this size");
	*(volatile char *)area = 1;
	child = spawn(nothing);
	/* On 6.18 with 1 GiB, in about one of ten runs, the child has no such page, in smaps as well. */
	snprintf(path, sizeof(path), "/proc/%d/status", child);
	if (number_in(path, "HugetlbPages:") < (long long)(bytes >> 10))
		skip("the kernel removed the hugetlb page from the child");
	expect(0, area, 2 * bytes, unit, "%zu*2h,%zu*.", bytes / PAGE, bytes / PAGE);
	expect(child, area, 2 * bytes, unit, "%zu*2h,%zu*.", bytes / PAGE, bytes / PAGE);
}

static void hugetlb_page(void)
{
	const long long kilobytes = number_in("/proc/meminfo", "Hugepagesize:");

	if (kilobytes <= 0)
		skip("no hugetlb pages in this kernel");
	hugetlb_of((size_t)kilobytes << 10);
}

/* 64 KiB pages, each a run of small entries on arm64. */
static void hugetlb_of_64k(void)
{
	hugetlb_of((size_t)64 << 10);
}

/* 32 MiB pages, each a run of larger entries on arm64. */
static void hugetlb_of_32m(void)
{
	hugetlb_of((size_t)32 << 20);
}

static void hugetlb_of_1g(void)
{
	hugetlb_of((size_t)1 << 30);
}

static void resident_without_access(void)
{
	area = map_anonymous(8 * PAGE);
	touch(area, 0, 6);
	mprotect(area, 8 * PAGE, PROT_NONE);
	expect(0, area, 8 * PAGE, "NULL", "6*1a,2*.");
}

/* Before Linux 6.7 pagemap has to be read entry by entry. */
static int can_scan_pagemap(void)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	const int can_scan =
		ioctl(fd, _IOWR('f', 16, char[96]), NULL) == 0 || errno != ENOTTY; /* PAGEMAP_SCAN */

	close(fd);
	return can_scan;
}

static size_t nearly_empty_bytes(void)
{
	if (sizeof(size_t) == 4)
		return (size_t)1 << 30;
	return (size_t)1 << (can_scan_pagemap() ? 44 : 36);
}

/* A VMA as large as the shadow memory of an address sanitizer, and nearly empty. */
static void nearly_empty_terabytes(void)
{
	const size_t pages = nearly_empty_bytes() / PAGE;
	const size_t places = PAGE > 4096 ? 100 : 1000; /* each requires page tables as well */
	const size_t step = pages / (places + 1);

	area = map_anonymous(pages * PAGE);
	touch(area, 7, 1);
	for (size_t i = 1; i <= places; i++)
		touch(area, i * step, 2);
	printf("expect %d %zx %zu 7*.,1*1a,%zu*.", getpid(), (size_t)area, pages * PAGE, step - 8);
	for (size_t i = 1; i <= places; i++)
		printf(",2*1a,%zu*.", i < places ? step - 2 : pages - places * step - 2);
	printf(" NULL\n");
}

/*
 * Page tables have no entry for most of the VMA, not even at the top level. An entry of that level
 * covers 512 GiB on x86-64 and arm64 with four levels, and 2 MiB to 1 GiB on 32-bit kernels.
 */
static void empty_top_entries(void)
{
	const size_t bytes = sizeof(size_t) == 4 ? (size_t)1900 << 20 : (size_t)1300 << 15 << 15;
	const size_t pages = bytes / PAGE;
	const size_t first = pages / 12 * 7, second = pages / 12 * 10;

	/* Any other collector than physmem-collect reads page tables, not pagemap. */
	if (sizeof(size_t) > 4 && !can_scan_pagemap() && !getenv("PHYSMEM_COLLECTOR"))
		skip("this kernel's pagemap takes a minute for 1300 GiB: it has no PAGEMAP_SCAN");
	area = map_anonymous(bytes);
	touch(area, first, 1);
	touch(area, second, 1);
	expect(0, area, bytes, "NULL", "%zu*.,1*1a,%zu*.,1*1a,%zu*.", first, second - first - 1,
	       pages - second - 1);
}

/* The first two pages have been written since the marks were cleared. */
static void soft_dirty(void)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

	area = map_anonymous(8 * PAGE);
	touch(area, 0, 8);
	if (write(fd, "4", 1) != 1)
		skip("this kernel does not mark pages that are written");
	close(fd);
	touch(area, 0, 2);
	expect(0, area, 8 * PAGE, "NULL", "8*1a");
}

/* Physical addresses outside RAM, such as the BIOS of a PC: resident pages that are not RAM of the
 * kernel. */
static void device_memory(void)
{
	FILE *file = fopen("/proc/iomem", "r");
	int fd = open("/dev/mem", O_RDONLY | O_CLOEXEC);
	unsigned long long start, last;
	char line[256];

	area = MAP_FAILED;
	while (file && fd >= 0 && area == MAP_FAILED && fgets(line, sizeof(line), file)) {
		if (strstr(line, "System RAM") || sscanf(line, " %llx-%llx", &start, &last) != 2)
			continue;
		start = (start + PAGE - 1) / PAGE * PAGE;
		if (start && start + 4 * PAGE - 1 <= last)
			area = mmap(NULL, 4 * PAGE, PROT_READ, MAP_SHARED, fd, (off_t)start);
	}
	if (area == MAP_FAILED)
		skip("no /dev/mem, or no range of it may be mapped");
	expect(0, area, 4 * PAGE, "/dev/mem", "4*.");
}

/* Kernel memory that is mapped into a process. How it is mapped depends on the kernel, so nothing
 * is expected. */
static void rings_of_the_kernel(void)
{
	struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(clock) };
	struct io_uring_params params = { .flags = 0 };
	int perf, ring;
	char *map;
	int maps = 0;

	clock.config = PERF_COUNT_SW_CPU_CLOCK;
	perf = (int)syscall(SYS_perf_event_open, &clock, 0, -1, -1, 0);
	map = mmap(NULL, 5 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, perf, 0);
	if (map != MAP_FAILED) {
		read_pages(map, 0, 5);
		maps++;
	}
	ring = (int)syscall(SYS_io_uring_setup, 8, &params);
	map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
	if (map != MAP_FAILED) {
		read_pages(map, 0, 1);
		maps++;
	}
	if (!maps)
		skip("neither perf_event_open nor io_uring");
}

static void take_notice(int signal)
{
	(void)signal;
}

/* The pages around it have no access rights, so that it is a VMA of its own. */
static char *map_apart(size_t bytes)
{
	char *around = map_anonymous(bytes + 2 * PAGE);

	mprotect(around, bytes + 2 * PAGE, PROT_NONE);
	mprotect(around + PAGE, bytes, PROT_READ | PROT_WRITE);
	return around + PAGE;
}

/* Two stacks as glibc makes them from 2.42 on: the first page of each is a guard. */
static void guard_pages(void)
{
	area = map_apart(8 * PAGE);
	touch(area, 0, 8);
	if (madvise(area, PAGE, MADV_GUARD_INSTALL) ||
	    madvise(area + 4 * PAGE, PAGE, MADV_GUARD_INSTALL))
		skip("no MADV_GUARD_INSTALL: it needs Linux 6.13");
	expect(0, area, 8 * PAGE, "NULL", "1*g,3*1a,1*g,3*1a");
}

/* The middle page is lost as if the memory had failed. Its frame is not used again before the next
 * boot. */
static void poisoned(void)
{
	area = map_apart(3 * PAGE);
	touch(area, 0, 3);
	/* Some kernels send the process a signal that cannot be ignored. */
	signal(SIGBUS, take_notice);
	if (madvise(area + PAGE, PAGE, MADV_HWPOISON))
		skip("this kernel cannot poison a page on request");
	expect(0, area, 3 * PAGE, "NULL", "1*1a,1*.,1*1a");
}

const struct workload_case workload_cases[] = {
	{ "private_anonymous", private_anonymous },
	{ "touched_sparsely", touched_sparsely },
	{ "shared_by_fork", shared_by_fork },
	{ "memfd_mapped_twice", memfd_mapped_twice },
	{ "private_file_partly_written", private_file_partly_written },
	{ "deleted_file", deleted_file },
	{ "hostile_file_name", hostile_file_name },
	{ "huge_page", huge_page },
	{ "huge_page_shared", huge_page_shared },
	{ "huge_pages_partly_shared", huge_pages_partly_shared },
	{ "huge_page_in_pieces", huge_page_in_pieces },
	{ "folios_of_64k", folios_of_64k },
	{ "merged_by_ksm", merged_by_ksm },
	{ "zero_page", zero_page },
	{ "huge_zero_page", huge_zero_page },
	{ "hugetlb_page", hugetlb_page },
	{ "hugetlb_of_64k", hugetlb_of_64k },
	{ "hugetlb_of_32m", hugetlb_of_32m },
	{ "hugetlb_of_1g", hugetlb_of_1g },
	{ "resident_without_access", resident_without_access },
	{ "guard_pages", guard_pages },
	{ "nearly_empty_terabytes", nearly_empty_terabytes },
	{ "empty_top_entries", empty_top_entries },	/* agreement_test would read all of it */
	{ "soft_dirty", soft_dirty },
	{ "device_memory", device_memory },
	{ "rings_of_the_kernel", rings_of_the_kernel },
	{ "poisoned", poisoned },	/* tests/vm/guest/module: in a guest only */
	{ NULL, NULL },
};
