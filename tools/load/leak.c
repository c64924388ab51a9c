// SPDX-License-Identifier: MIT
/*
 * One process leaks; others grow once, grow and shrink, or do nothing. A test for leak detection.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "load.h"
#include "option.h"
#include "progress.h"

#define MAX_PROCESSES 1000

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void fill(char *memory, size_t pages)
{
	for (size_t i = 0; memory && i < pages; i++)
		*(volatile char *)&memory[i * page_size()] = 1;
}

/* Grows for two seconds, like a program that reads its data, and then stays constant. */
static void grow(void)
{
	for (int i = 0; i < 100; i++) {
		fill(malloc(20 * page_size()), 20);
		load_sleep(0.02, 0);
	}
	for (;;)
		pause();
}

/*
 * A sawtooth of 400 pages in four seconds, so that it is visible in one sample per second. At its
 * end all memory is returned to the system. It uses mmap(), because free() may keep memory for the
 * next malloc().
 */
static void churn(void)
{
	const size_t step = 5;
	const size_t pages = 400;

	for (;;) {
		void *map = mmap(NULL, pages * page_size(), PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		char *memory = map == MAP_FAILED ? NULL : map;

		for (size_t i = 0; i < pages; i += step) {
			if (memory)
				fill(&memory[i * page_size()], step);
			load_sleep(0.05, 0);
		}
		if (memory)
			munmap(memory, pages * page_size());
	}
}

static void idle(void)
{
	for (;;)
		pause();
}

static const struct role {
	const char *name;
	const char *command; /* at most 15 characters: the kernel's limit */
	void (*live)(void);
} roles[] = {
	{"grows", "load-grows", grow},
	{"churns", "load-churns", churn},
	{"idles", "load-idles", idle},
};

static int start_others(int *pids, int count)
{
	for (int i = 0; i < count; i++) {
		const struct role *role = &roles[(size_t)i % (sizeof roles / sizeof *roles)];

		pids[i] = load_fork();
		if (pids[i] < 0)
			return i;
		if (pids[i] == 0) {
			prctl(PR_SET_NAME, role->command);
			role->live();
		}
		printf("pid=%d role=%s\n", pids[i], role->name);
	}
	return count;
}

/*
 * Leaks as many pages as are due by now. A process that had to wait catches up, so the rate is
 * correct.
 */
static bool leak(double pages_per_second, double end, long long *leaked)
{
	const double began = load_time();

	while (!load_is_over(end)) {
		const long long owed = (long long)((load_time() - began) * pages_per_second);

		for (; *leaked < owed; ++*leaked) {
			/* Together with the header of malloc(), exactly one page of the heap. */
			char *page = malloc(page_size() - sizeof(size_t));

			if (!page)
				return false;
			memset(page, 1, page_size() - sizeof(size_t));
		}
		load_sleep(0.001, end);
	}
	return true;
}

int load_leak(int argc, char **argv)
{
	double pages_per_ms = 1;
	double end = 60;
	long long among = 1;
	const struct load_option options[] = {
		{.name = "pages-per-ms", .seconds = &pages_per_ms, .unit = "pages per millisecond",
		 .min = 0, .max = 100000},
		LOAD_DURATION(&end),
		{.name = "among", .number = &among, .min = 1, .max = MAX_PROCESSES},
		{.name = NULL},
	};
	static int others[MAX_PROCESSES];
	long long leaked = 0;

	if (!load_options(argc, argv, options, NULL))
		return LOAD_USAGE;
	const int wanted = (int)among - 1;
	const int started = start_others(others, wanted);
	bool is_done = started == wanted;

	if (is_done) {
		prctl(PR_SET_NAME, "load-leaks");
		printf("pid=%d role=leaks\n", (int)getpid());
		fflush(stdout);
		load_say("leaking %g pages per millisecond, among %d others", pages_per_ms,
			 started);
		is_done = leak(pages_per_ms * 1000, end, &leaked);
		load_say("%lld pages have leaked%s", leaked, is_done ? "" : "; out of memory");
	}
	load_end_children(others, started);
	return is_done ? LOAD_DONE : LOAD_IO;
}
