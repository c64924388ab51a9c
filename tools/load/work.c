// SPDX-License-Identifier: MIT
/* The work program of the profiler's assignment. */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "load.h"
#include "option.h"
#include "progress.h"
#include "registration.h"

#define BLOCK ((uint64_t)1024 * 1024)
#define MAX_BLOCKS (1024 * 1024)
#define MAX_ACCESSES 1000000000000LL

struct work {
	long long blocks; /* of 1 MiB */
	int is_local;
	long long accesses; /* per iteration */
	long long iterations;
	double pause; /* after each iteration */
	char **block;
};

/* random() returns 31 bits, but the memory may have more bytes. */
static uint64_t random_62(void)
{
	return (uint64_t)random() << 31 | (uint64_t)random();
}

static void access_anywhere(const struct work *work)
{
	const uint64_t target = random_62() % ((uint64_t)work->blocks * BLOCK);
	volatile char *byte = &work->block[target / BLOCK][target % BLOCK];

	*byte = '*';
}

static void iterate(const struct work *work)
{
	/*
	 * The assignment's "local" access computes an address and does not access it. This one does
	 * the same, to cause the same faults.
	 */
	static volatile long address;

	for (long long i = 0; i < work->accesses; i++) {
		if (!work->is_local || random() % 10 < 2)
			access_anywhere(work);
		else
			address = address + random() % 300;
	}
}

static void free_blocks(struct work *work, long long count)
{
	while (count > 0)
		free(work->block[--count]);
	free(work->block);
}

static bool allocate_blocks(struct work *work)
{
	/*
	 * Makes malloc() map each block separately. Otherwise it may raise the threshold and use
	 * the heap.
	 */
	mallopt(M_MMAP_THRESHOLD, 128 * 1024);
	work->block = calloc((size_t)work->blocks, sizeof *work->block);
	for (long long i = 0; work->block && i < work->blocks; i++) {
		work->block[i] = malloc(BLOCK);
		if (work->block[i])
			continue;
		printf("Out of memory error! (failed at %lldMB)\n", i);
		load_say("out of memory at %lld of %lld MB", i, work->blocks);
		free_blocks(work, i);
		return false;
	}
	if (!work->block)
		load_say("out of memory");
	return work->block != NULL;
}

static int run(struct work *work)
{
	if (!allocate_blocks(work))
		return LOAD_IO;
	load_say("%lld MB are allocated", work->blocks);
	for (long long i = 0; i < work->iterations; i++) {
		printf("[%d] %lld iteration\n", (int)getpid(), i);
		fflush(stdout);
		iterate(work);
		load_sleep(work->pause, 0);
	}
	load_say("%lld iterations of %lld accesses are done", work->iterations, work->accesses);
	free_blocks(work, work->blocks);
	return LOAD_DONE;
}

int load_work(int argc, char **argv)
{
	struct work work = {.iterations = 20, .pause = 1};
	const char *status_file = LOAD_STATUS_FILE;
	bool is_unknown = false;
	const struct load_option options[] = {
		{.name = "iterations", .number = &work.iterations, .min = 0,
		 .max = MAX_ACCESSES},
		{.name = "pause", .seconds = &work.pause, .min = 0, .max = LOAD_MAX_SECONDS},
		{.name = "status", .text = &status_file},
		{.name = "no-register", .flag = &is_unknown},
		{.name = NULL},
	};
	int status;

	if (!load_options(argc, argv, options, "MB R|L ACCESSES") ||
	    !load_number("MB", argv[optind], 1, MAX_BLOCKS, &work.blocks) ||
	    !load_number("accesses", argv[optind + 2], 1, MAX_ACCESSES, &work.accesses))
		return LOAD_USAGE;
	work.is_local = argv[optind + 1][0] != 'R';
	printf("A work process starts (configuration: %lld %d %lld)\n", work.blocks, work.is_local,
	       work.accesses);
	if (!is_unknown)
		load_register(status_file);
	status = run(&work);
	if (!is_unknown)
		load_unregister(status_file);
	return status;
}
