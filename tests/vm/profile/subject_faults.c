/* SPDX-License-Identifier: MIT */
/* A process whose page faults between R and U are known: N pages touched once are N minor
 * faults. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "subject.h"

struct pages {
	volatile char *start;
	size_t count;
};

/* Maps small pages, because a huge page would cause one fault. */
static struct pages map_pages(size_t count)
{
	size_t bytes = count * (size_t)getpagesize();
	char *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (start == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	madvise(start, bytes, MADV_NOHUGEPAGE);
	return (struct pages){ start, count };
}

static void *touch_all(void *data)
{
	const struct pages *pages = data;
	size_t page = (size_t)getpagesize();

	for (size_t i = 0; i < pages->count; i++)
		pages->start[i * page] = 1;
	return NULL;
}

static struct rusage usage_now(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage;
}

/* Causes the faults of the program's own code and stack before it is registered. */
static void warm_up(void)
{
	struct pages few = map_pages(2);
	struct rusage usage;

	must_write('R', getpid());
	touch_all(&few);
	usage = usage_now();
	must_write('U', getpid());
	fflush(stdout);
	(void)usage;
}

static void print_growth(const struct rusage *before)
{
	struct rusage now = usage_now();

	must_write('U', getpid());
	printf("min %ld\nmaj %ld\n", now.ru_minflt - before->ru_minflt, now.ru_majflt - before->ru_majflt);
}

static int touch_plainly(struct pages *pages)
{
	struct rusage before;

	must_write('R', getpid());
	before = usage_now();
	touch_all(pages);
	print_growth(&before);
	return 0;
}

/* Ends right after the last fault, without U and without time for a tick. */
static int touch_and_die(struct pages *pages)
{
	must_write('R', getpid());
	touch_all(pages);
	syscall(SYS_exit_group, 0);
	return 1;
}

/* A thread that ends touches half of the pages, the first thread the other half. */
static int touch_by_thread(struct pages *pages)
{
	struct pages half = { pages->start, pages->count / 2 };
	struct pages rest = { pages->start + half.count * (size_t)getpagesize(),
		pages->count - half.count };
	struct rusage before;
	pthread_t thread;

	must_write('R', getpid());
	before = usage_now();
	if (pthread_create(&thread, NULL, touch_all, &half))
		return 1;
	pthread_join(thread, NULL);
	touch_all(&rest);
	print_growth(&before);
	return 0;
}

static void *exec_self(void *data)
{
	(void)data;
	usleep(200000);
	execl("/proc/self/exe", "profile-subject", "touch", "0", "sleeps", (char *)NULL);
	return NULL;
}

/* The thread that calls execve() continues under the process's number. */
static int exec_by_thread(void)
{
	pthread_t thread;

	must_write('R', getpid());
	if (pthread_create(&thread, NULL, exec_self, NULL))
		return 1;
	for (;;)
		pause();
}

/* Causes faults and system time endlessly. */
static _Noreturn void churn(void)
{
	for (;;) {
		struct pages pages = map_pages(64);

		touch_all(&pages);
		munmap((void *)pages.start, pages.count * (size_t)getpagesize());
	}
}

int touch_pages(size_t count, const char *how)
{
	struct pages pages;

	if (!strcmp(how, "churns"))
		churn();

	if (!strcmp(how, "sleeps"))
		for (;;)
			pause();
	if (!strcmp(how, "exec-by-thread"))
		return exec_by_thread();
	warm_up();
	pages = map_pages(count);
	if (!strcmp(how, "plain"))
		return touch_plainly(&pages);
	if (!strcmp(how, "dies"))
		return touch_and_die(&pages);
	if (!strcmp(how, "thread"))
		return touch_by_thread(&pages);
	return 2;
}
