// SPDX-License-Identifier: MIT
/* Pages with a known number of faults: touched once, again, and after they were swapped out. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "load.h"
#include "option.h"
#include "progress.h"
#include "registration.h"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21 /* Linux 5.4 */
#endif

struct faults {
	long minor;
	long major;
};

static struct faults faults_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (struct faults){usage.ru_minflt, usage.ru_majflt};
}

/*
 * Returns the faults of writing one byte into each page. Nothing is printed in between, which could
 * cause other faults.
 */
static struct faults touch(volatile char *memory, long long pages)
{
	const long long page = sysconf(_SC_PAGESIZE);
	const struct faults before = faults_so_far();

	for (long long i = 0; i < pages; i++)
		memory[i * page] = 1;
	const struct faults after = faults_so_far();

	return (struct faults){after.minor - before.minor, after.major - before.major};
}

/*
 * Causes the faults of what the phases themselves use: code, stack, the buffer of standard output.
 * Locks it in memory if permitted.
 */
static void warm_up(void)
{
	printf("pid=%d\n", (int)getpid());
	fflush(stdout);
	load_sleep(1e-6, 0);
	mlockall(MCL_CURRENT);
}

/* What to do between the phases: pause or stop, to give an observer time. */
struct rest {
	double pause; /* seconds */
	bool stops;
};

static void phase(const char *name, const struct faults *faults, long long pages,
		  const struct rest *rest)
{
	const struct faults life = faults_so_far();

	printf("phase=%s pages=%lld minor=%ld major=%ld life_minor=%ld life_major=%ld\n", name,
	       pages, faults->minor, faults->major, life.minor, life.major);
	fflush(stdout);
	if (rest->stops)
		raise(SIGSTOP);
	load_sleep(rest->pause, 0);
}

static int phases(char *memory, long long pages, const struct rest *rest)
{
	const size_t size = (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
	const struct faults none = {0, 0};
	struct faults faults;

	phase("begin", &none, 0, rest);
	faults = touch(memory, pages);
	phase("first", &faults, pages, rest);
	faults = touch(memory, pages);
	phase("second", &faults, pages, rest);
	if (madvise(memory, size, MADV_PAGEOUT) != 0) {
		load_say("no third phase: MADV_PAGEOUT (Linux 5.4) is not available: %s",
			 strerror(errno));
		return LOAD_DONE;
	}
	phase("out", &none, 0, rest);
	/* Without swap the pages stay in memory, so there are no faults. */
	faults = touch(memory, pages);
	phase("pageout", &faults, pages, rest);
	return LOAD_DONE;
}

int load_touch(int argc, char **argv)
{
	long long pages = 1000;
	struct rest rest = {.pause = 0, .stops = false};
	bool is_registered = false;
	const char *status_file = LOAD_STATUS_FILE;
	const struct load_option options[] = {
		{.name = "pages", .number = &pages, .min = 1, .max = 1LL << 36},
		{.name = "pause", .seconds = &rest.pause, .min = 0, .max = LOAD_MAX_SECONDS},
		{.name = "stop", .flag = &rest.stops},
		{.name = "register", .flag = &is_registered},
		{.name = "status", .text = &status_file},
		{.name = NULL},
	};

	if (!load_options(argc, argv, options, NULL))
		return LOAD_USAGE;
	const size_t size = (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
	warm_up();
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) {
		load_say("no memory for %lld pages: %s", pages, strerror(errno));
		return LOAD_IO;
	}
	madvise(memory, size, MADV_NOHUGEPAGE); /* otherwise one fault may map 512 pages */
	load_say("%lld pages are mapped", pages);
	touch(memory, 1); /* faults in the code itself */
	madvise(memory, size, MADV_DONTNEED);
	if (is_registered)
		load_register(status_file);
	const int status = phases(memory, pages, &rest);

	if (is_registered)
		load_unregister(status_file);
	load_say("done");
	return status;
}
