/* SPDX-License-Identifier: MIT */
/*
 * Stresses code that walks page tables: for some seconds, several processes with several threads
 * each fork, exec, map, split and collapse huge pages, swap, merge, truncate, and run out of
 * memory. At the end it prints how often each kind was done and refused.
 */
#define _GNU_SOURCE
#include "churn.h"

#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_KINDS 32
#define MAX_PROCESSES 16
#define THREADS 2
/* A worker is replaced by a new process after at most this many rounds of each thread. */
#define MAX_ROUNDS 200
/* A worker whose round takes longer than this is stuck. */
#define TIMEOUT_SECONDS 60

struct tally {
	atomic_ulong done, refused;
};

/* In memory that all workers share. */
struct scores {
	struct tally kinds[MAX_KINDS];
	atomic_ulong workers, stuck, corrupted, killed;
};

static struct {
	unsigned int seconds, processes;
	uint64_t seed;
} options = { .seconds = 10, .processes = 4, .seed = 1 };

const char *churn_cgroup;
static struct scores *scores;
static struct kind kinds[MAX_KINDS];
static unsigned int kind_count, weights;
static time_t end_time;

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

uint64_t roll(struct dice *dice, uint64_t sides)
{
	/* splitmix64 */
	uint64_t x = dice->state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return (x ^ x >> 31) % sides;
}

void corrupted(const char *what)
{
	fprintf(stderr, "physmem-churn: %d: memory changed by itself: %s\n", getpid(), what);
	atomic_fetch_add(&scores->corrupted, 1);
	_exit(3);
}

static void add_kinds(const struct kind *kind)
{
	for (; kind->name; kind++) {
		if (kind_count == MAX_KINDS)
			abort();
		kinds[kind_count++] = *kind;
		weights += kind->weight;
	}
}

static unsigned int choose_kind(struct dice *dice)
{
	uint64_t ticket = roll(dice, weights);
	unsigned int i;

	for (i = 0; ticket >= kinds[i].weight; i++)
		ticket -= kinds[i].weight;
	return i;
}

static void run_kind(unsigned int i, struct dice *dice)
{
	struct tally *tally = &scores->kinds[i];

	alarm(TIMEOUT_SECONDS);
	atomic_fetch_add(kinds[i].run(dice) ? &tally->done : &tally->refused, 1);
}

static void *run_rounds(void *seed)
{
	struct dice dice = { (uint64_t)seed };
	uint64_t rounds = 1 + roll(&dice, MAX_ROUNDS);

	while (rounds-- && now() < end_time)
		run_kind(choose_kind(&dice), &dice);
	return NULL;
}

/* Runs each kind once, even if the time is short. */
static void *run_each_kind(void *seed)
{
	struct dice dice = { (uint64_t)seed };
	unsigned int i;

	for (i = 0; i < kind_count; i++)
		run_kind(i, &dice);
	return NULL;
}

static _Noreturn void work(unsigned int number)
{
	uint64_t seed = options.seed * 1000003 + number;
	pthread_t thread[THREADS];
	int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "churn-worker");
	for (i = 0; i < THREADS; i++) {
		void *(*run)(void *) = number + (unsigned int)i == 0 ? run_each_kind : run_rounds;

		if (pthread_create(&thread[i], NULL, run, (void *)(seed * THREADS + (uint64_t)i)))
			_exit(1);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	_exit(0);
}

static pid_t start_worker(unsigned int number)
{
	pid_t pid = fork();

	if (pid == 0)
		work(number);
	if (pid > 0)
		atomic_fetch_add(&scores->workers, 1);
	return pid;
}

/* Called for workers and for their orphans. */
static void note_end(pid_t *workers, pid_t pid, int status)
{
	unsigned int i;

	for (i = 0; i < options.processes && workers[i] != pid; i++)
		;
	if (i == options.processes)
		return;
	workers[i] = 0;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		atomic_fetch_add(&scores->stuck, 1);
	else if (WIFSIGNALED(status))
		atomic_fetch_add(&scores->killed, 1);
}

/* Keeps `processes` workers running until the time is over, then waits for all of them. */
static void supervise(void)
{
	pid_t workers[MAX_PROCESSES] = {};
	unsigned int i, number = 0;

	for (;;) {
		int status;
		pid_t pid;

		for (i = 0; i < options.processes && now() < end_time; i++) {
			if (workers[i] <= 0)
				workers[i] = start_worker(number++);
		}
		/* Waits for orphans as well, until no process is left. */
		pid = wait(&status);
		if (pid < 0 && errno == ECHILD && now() >= end_time)
			return;
		if (pid > 0)
			note_end(workers, pid, status);
	}
}

static int report(void)
{
	unsigned int i;

	for (i = 0; i < kind_count; i++)
		printf("kind %s %lu %lu\n", kinds[i].name, scores->kinds[i].done, scores->kinds[i].refused);
	printf("workers %lu\nstuck %lu\nkilled %lu\ncorrupted %lu\n", scores->workers, scores->stuck,
		scores->killed, scores->corrupted);
	return scores->stuck || scores->killed || scores->corrupted ? 1 : 0;
}

static void read_options(int argc, char **argv)
{
	static const struct option known[] = {
		{ "seconds", required_argument, NULL, 's' }, { "seed", required_argument, NULL, 'r' },
		{ "processes", required_argument, NULL, 'p' }, { "cgroup", required_argument, NULL, 'c' }, {}
	};
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 's': options.seconds = (unsigned int)atoi(optarg); break;
		case 'r': options.seed = strtoull(optarg, NULL, 0); break;
		case 'p': options.processes = (unsigned int)atoi(optarg); break;
		case 'c': churn_cgroup = optarg; break;
		default:
			fprintf(
				stderr, "usage: physmem-churn [--seconds N] [--seed N] [--processes N] [--cgroup FOLDER]\n");
			exit(2);
		}
	}
}

int main(int argc, char **argv)
{
	if (argc > 1 && argv[1][0] != '-')
		return exec_role(argc, argv);
	read_options(argc, argv);
	if (options.processes > MAX_PROCESSES)
		options.processes = MAX_PROCESSES;
	scores = mmap(NULL, sizeof(*scores), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (scores == MAP_FAILED) {
		perror("physmem-churn: mmap");
		return 1;
	}
	add_kinds(process_kinds);
	add_kinds(map_kinds);
	add_kinds(page_kinds);
	/* Orphans become children of this process, so that it can wait for the last one. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	end_time = now() + options.seconds;
	supervise();
	return report();
}
