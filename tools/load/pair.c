// SPDX-License-Identifier: MIT
/*
 * Pagefault.c, version 2: two children sweep an array each. In turn one of them is stopped, so that
 * its pages are swapped out.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "load.h"
#include "option.h"
#include "progress.h"

#define MIN_TURN 0.01 /* seconds; with less, signals would be most of the work */

static void sweep(const char *greeting, volatile int *memory, long long ints)
{
	puts(greeting);
	fflush(stdout);
	for (int value = 0;; value = !value)
		for (long long i = 0; i < ints; i++)
			memory[i] = value;
}

/* Returns the process id, or 0 after the message of the original program. */
static int start(const char *greeting, volatile int *memory, long long ints)
{
	const int child = load_fork();

	if (child == 0)
		sweep(greeting, memory, ints);
	if (child > 0)
		return child;
	puts("fork error!");
	return 0;
}

static void alternate(const int *children, double turn, double end)
{
	int running = 0; /* the second child is stopped first */

	while (!load_is_over(end)) {
		kill(children[!running], SIGSTOP);
		kill(children[running], SIGCONT);
		load_say("stopped %d, running %d", children[!running], children[running]);
		load_sleep(turn, end);
		running = !running;
	}
}

/* By default pagefault2 runs forever, like the document's program. */
static int run_pair(int argc, char **argv, double end)
{
	long long ints = 10142720;
	double turn = 30;
	const struct load_option options[] = {
		{.name = "ints", .number = &ints, .min = 1, .max = 1LL << 40},
		{.name = "switch", .seconds = &turn, .min = 0, .max = LOAD_MAX_SECONDS},
		LOAD_DURATION(&end),
		{.name = NULL},
	};
	int children[2];

	if (!load_options(argc, argv, options, NULL))
		return LOAD_USAGE;
	if (turn < MIN_TURN) {
		load_refuse("--switch: found %g s, expected at least %g", turn, MIN_TURN);
		return LOAD_USAGE;
	}
	volatile int *const memory =
		mmap(NULL, 2 * (size_t)ints * sizeof(int), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		load_say("no memory for two arrays of %lld ints: %s", ints, strerror(errno));
		return LOAD_IO;
	}
	children[0] = start("enter first child!", memory, ints);
	children[1] = children[0] ? start("enter second child!", memory + ints, ints) : 0;
	if (children[1]) {
		puts("enter parent process!");
		fflush(stdout);
		alternate(children, turn, end);
	}
	load_end_children(children, children[0] == 0 ? 0 : children[1] == 0 ? 1 : 2);
	return children[1] ? LOAD_DONE : LOAD_IO;
}

int load_pair(int argc, char **argv)
{
	return run_pair(argc, argv, 120);
}

int load_pagefault2(int argc, char **argv)
{
	return run_pair(argc, argv, 0);
}
