/* SPDX-License-Identifier: MIT */
/* Patterns of tasks: their names, threads, and who shares an address space. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

static char *area;

static void hostile_task_name(void)
{
	prctl(PR_SET_NAME, " a,b|\\\n\351T: ");
	area = map_anonymous(PAGE);
	touch(area, 0, 1);
	expect(0, area, PAGE, "NULL", "1*1a");
}

static void *stand_still(void *unused)
{
	pause();
	return unused;
}

/* Four threads are four tasks of one address space, whose pages are listed once. */
static void threads(void)
{
	pthread_t thread;

	area = map_anonymous(4 * PAGE);
	touch(area, 0, 4);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, stand_still, NULL);
	expect(0, area, 4 * PAGE, "NULL", "4*1a");
}

/* Whether the first thread has ended (state "Z"). */
static int leader_has_ended(void)
{
	char text[512] = "";
	FILE *file = fopen("/proc/self/stat", "r");
	const char *after_name;

	if (file && fgets(text, sizeof(text), file))
		after_name = strrchr(text, ')');
	else
		after_name = NULL;
	if (file)
		fclose(file);
	return after_name && after_name[2] == 'Z';
}

static void *stand_still_alone(void *unused)
{
	while (!leader_has_ended())
		usleep(1000);
	wait_until_killed();
	return unused;
}

/* The process continues without its first thread, which no longer has an address space. */
static void leader_gone(void)
{
	pthread_t thread;

	area = map_anonymous(4 * PAGE);
	touch(area, 0, 4);
	expect(0, area, 4 * PAGE, "NULL", "4*1a");
	pthread_create(&thread, NULL, stand_still_alone, NULL);
	pthread_exit(NULL);
}

/* The child runs in its parent's memory; the parent waits for it in the kernel. */
static void vfork_child(void)
{
	pid_t parent = getpid();

	area = map_anonymous(4 * PAGE);
	touch(area, 0, 4);
	if (vfork() == 0) {
		expect(parent, area, 4 * PAGE, "NULL", "4*1a");
		print_process(getpid());
		print_same_memory(getpid(), parent);
		wait_until_killed();
	}
}

const struct workload_case workload_task_cases[] = {
	{ "hostile_task_name", hostile_task_name },
	{ "threads", threads },
	{ "leader_gone", leader_gone },	/* tests/vm/guest/module: only threads have its smaps */
	{ "vfork_child", vfork_child },
	{ NULL, NULL },
};
