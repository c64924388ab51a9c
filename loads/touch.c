// SPDX-License-Identifier: MIT
/* Pages whose faults are known: touched once, again, and after they went to swap. */
#include <errno.h>
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

/* The faults of writing one byte into each page, and no others: nothing is printed in between. */
static struct faults touch(volatile char *memory, long long pages)
{
	const long long page = sysconf(_SC_PAGESIZE);
	const struct faults before = faults_so_far();

	for (long long i = 0; i < pages; i++)
		memory[i * page] = 1;
	const struct faults after = faults_so_far();

	return (struct faults){after.minor - before.minor, after.major - before.major};
}

static void tell(const char *phase, long long pages, const struct faults *faults)
{
	printf("phase=%s pages=%lld minor=%ld major=%ld\n", phase, pages, faults->minor, faults->major);
	fflush(stdout);
}

static int phases(char *memory, long long pages, double pause)
{
	const size_t size = (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
	struct faults faults = touch(memory, 1); /* the code's own pages come with the first page */

	madvise(memory, size, MADV_DONTNEED);
	faults = touch(memory, pages);
	tell("first", pages, &faults);
	load_sleep(pause, 0);
	faults = touch(memory, pages);
	tell("second", pages, &faults);
	load_sleep(pause, 0);
	if (madvise(memory, size, MADV_PAGEOUT) != 0) {
		load_say("no third phase: the kernel knows no MADV_PAGEOUT (Linux 5.4) or refuses it: %s", strerror(errno));
		return LOAD_DONE;
	}
	/* Without swap the pages stay, and nothing faults. */
	faults = touch(memory, pages);
	tell("pageout", pages, &faults);
	load_sleep(pause, 0);
	return LOAD_DONE;
}

int load_touch(int argc, char **argv)
{
	long long pages = 1000;
	double pause = 0;
	bool is_registered = false;
	const char *status_file = LOAD_STATUS_FILE;
	const struct load_option options[] = {
		{.name = "pages", .number = &pages, .least = 1, .most = 1LL << 36},
		{.name = "pause", .seconds = &pause, .least = 0, .most = LOAD_MOST_SECONDS},
		{.name = "register", .flag = &is_registered},
		{.name = "status", .text = &status_file},
		{.name = NULL},
	};

	if (!load_options(argc, argv, options, 0))
		return LOAD_USAGE;
	const size_t size = (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) {
		load_say("no memory for %lld pages: %s", pages, strerror(errno));
		return LOAD_IO;
	}
	madvise(memory, size, MADV_NOHUGEPAGE); /* one fault would bring 512 pages */
	load_say("%lld pages are mapped", pages);
	if (is_registered)
		load_register(status_file);
	const int status = phases(memory, pages, pause);

	if (is_registered)
		load_unregister(status_file);
	load_say("done");
	return status;
}
