/* SPDX-License-Identifier: MIT */
/*
 * Runs all kinds of readers of the device at the same time, for some seconds: blocks of odd sizes,
 * and readers that stop, die, share a file, or make invalid calls. Prints how often each kind was
 * done, and errors.
 */
#define _GNU_SOURCE
#include "readers.h"

#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_READERS 16
#define MAX_ERRORS_SHOWN 20
/* Timeout of a round. Under emulation with every checker a snapshot takes seconds. */
#define TIMEOUT_SECONDS 240

struct score {
	atomic_ulong rounds, whole, bytes;
};

static struct scores {
	struct score readers[MAX_READERS];
	atomic_ulong wrong;
} *scores;

const char *readers_device = "/dev/task_mem/0";
static struct reader readers[MAX_READERS];
static unsigned int reader_count, self;
static uint32_t dice = 1;

uint32_t readers_roll(uint32_t sides)
{
	dice ^= dice << 13;
	dice ^= dice >> 17;
	dice ^= dice << 5;
	return dice % sides;
}

void readers_wrong(const char *format, ...)
{
	char text[400];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	if (atomic_fetch_add(&scores->wrong, 1) < MAX_ERRORS_SHOWN)
		fprintf(stderr, "physmem-readers: %s: %s\n", readers[self].name, text);
}

void readers_whole(size_t bytes)
{
	atomic_fetch_add(&scores->readers[self].whole, 1);
	atomic_fetch_add(&scores->readers[self].bytes, bytes);
}

static void add_readers(const struct reader *reader)
{
	for (; reader->name; reader++) {
		if (reader_count == MAX_READERS)
			abort();
		readers[reader_count++] = *reader;
	}
}

static _Noreturn void read_until(time_t end, unsigned int number, uint32_t seed)
{
	self = number;
	dice = seed * 2654435761u + number + 1;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, readers[number].name);
	while (time(NULL) < end) {
		alarm(TIMEOUT_SECONDS);
		readers[number].run(readers[number].block);
		atomic_fetch_add(&scores->readers[number].rounds, 1);
	}
	_exit(0);
}

static void collect(const pid_t *pids)
{
	unsigned int i;
	int status;

	for (i = 0; i < reader_count; i++) {
		if (waitpid(pids[i], &status, 0) != pids[i] || !WIFEXITED(status) || WEXITSTATUS(status)) {
			self = i;
			readers_wrong("ended with status %#x%s", status, status == SIGALRM ? ": it stood still" : "");
		}
	}
}

static int report(void)
{
	unsigned int i;

	for (i = 0; i < reader_count; i++)
		printf("reader %s %lu %lu %lu\n", readers[i].name, scores->readers[i].rounds,
			scores->readers[i].whole, scores->readers[i].bytes);
	printf("wrong %lu\n", scores->wrong);
	return scores->wrong ? 1 : 0;
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{ "seconds", required_argument, NULL, 's' }, { "seed", required_argument, NULL, 'r' },
		{ "device", required_argument, NULL, 'd' }, {}
	};
	unsigned int i, seconds = 10, seed = 1;
	pid_t pids[MAX_READERS];
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 's': seconds = (unsigned int)atoi(optarg); break;
		case 'r': seed = (unsigned int)atoi(optarg); break;
		case 'd': readers_device = optarg; break;
		default:
			fprintf(stderr, "usage: physmem-readers [--seconds N] [--seed N] [--device FILE]\n");
			return 2;
		}
	}
	/* Background jobs of a shell without a terminal ignore SIGINT, which the reader "killed" uses. */
	signal(SIGINT, SIG_DFL);
	/* Readers never sleep. A lower priority leaves enough time to physmem-churn. */
	if (nice(5) < 0)
		perror("physmem-readers: nice");
	scores = mmap(NULL, sizeof(*scores), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	add_readers(block_readers);
	add_readers(rude_readers);
	for (i = 0; i < reader_count; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			read_until(time(NULL) + (time_t)seconds, i, seed);
	}
	collect(pids);
	return report();
}
