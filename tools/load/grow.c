// SPDX-License-Identifier: MIT
/*
 * Memory of one kind that grows by a known number of pages per step. A step begins when a line is
 * read from standard input, so that an observer knows how much there is at any time.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "load.h"
#include "option.h"
#include "progress.h"

/* Memory that one page of the lowest level of page tables maps, with pages of 4 KiB: 2 MiB. */
static size_t reach_of_table(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return page * (page / sizeof(void *));
}

struct growth {
	long long units;  /* per step */
	const char *path; /* of file */
	int fd;		  /* of file */
};

/* Pages of the heap. Together with the header of malloc(), each unit is exactly one page. */
static bool grow_heap(struct growth *growth)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE) - sizeof(size_t);

	for (long long i = 0; i < growth->units; i++) {
		char *page = malloc(size);

		if (!page)
			return false;
		memset(page, 1, size);
	}
	return true;
}

/* Reads a byte where no page table exists yet, which maps the zero page: no other memory. */
static bool grow_tables(struct growth *growth)
{
	const size_t size = (size_t)growth->units * reach_of_table();
	char *sparse = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			    -1, 0);

	if (sparse == MAP_FAILED)
		return false;
	madvise(sparse, size, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < size; at += reach_of_table())
		(void)((volatile char *)sparse)[at];
	return true;
}

/* Signals that stay queued: objects of the slab cache sigqueue. */
static bool grow_signals(struct growth *growth)
{
	const union sigval nothing = {.sival_int = 0};
	const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMAX);
	sigprocmask(SIG_BLOCK, &set, NULL);
	setrlimit(RLIMIT_SIGPENDING, &unlimited);
	for (long long i = 0; i < growth->units; i++)
		if (sigqueue(getpid(), SIGRTMAX, nothing) != 0)
			return false;
	return true;
}

/* Pages at the end of a file, which must exist. */
static bool grow_file(struct growth *growth)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *page = calloc(1, size);
	bool is_done = page != NULL;

	if (growth->fd < 0)
		growth->fd = open(growth->path, O_WRONLY | O_APPEND | O_CLOEXEC);
	is_done = is_done && growth->fd >= 0;
	for (long long i = 0; is_done && i < growth->units; i++)
		is_done = write(growth->fd, page, size) == (ssize_t)size;
	free(page);
	return is_done;
}

static const struct {
	const char *name;
	bool (*step)(struct growth *growth);
} kinds[] = {
	{"heap", grow_heap}, {"tables", grow_tables}, {"signals", grow_signals},
	{"file", grow_file},
};

static bool (*step_of(const char *name))(struct growth *growth)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return kinds[i].step;
	load_refuse("found \"%s\", expected heap, tables, signals or file", name);
	return NULL;
}

/* Takes a step for each line of standard input. */
static int take_steps(bool (*step)(struct growth *growth), struct growth *growth)
{
	char line[64];

	for (long long steps = 1; fgets(line, sizeof line, stdin); steps++) {
		if (!step(growth)) {
			load_say("step %lld: %s", steps, strerror(errno));
			return LOAD_IO;
		}
		printf("step=%lld units=%lld\n", steps, growth->units);
		fflush(stdout);
	}
	return LOAD_DONE;
}

int load_grow(int argc, char **argv)
{
	struct growth growth = {.units = 100, .path = NULL, .fd = -1};
	const struct load_option options[] = {
		{.name = "units", .number = &growth.units, .min = 1, .max = 1 << 20},
		{.name = "path", .text = &growth.path},
		{.name = NULL},
	};

	if (!load_options(argc, argv, options, "KIND"))
		return LOAD_USAGE;
	const char *kind = argv[optind];
	bool (*step)(struct growth *growth) = step_of(kind);

	if (!step)
		return LOAD_USAGE;
	if (step == grow_file && !growth.path) {
		load_refuse("found file without --path, expected --path FILE");
		return LOAD_USAGE;
	}
	printf("pid=%d grows=%s\n", (int)getpid(), kind);
	fflush(stdout);
	return take_steps(step, &growth);
}
