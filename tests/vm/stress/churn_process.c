/* SPDX-License-Identifier: MIT */
/* Stress with processes: they start, end, change their program and their name, and run out of
 * memory. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "churn.h"

#define SELF "/proc/self/exe"
#define MAX_THREADS 48
#define THREAD_STACK ((size_t)64 << 10)
/* The kernel accepts single arguments of up to 128 KiB. */
#define LONG_ARGUMENT ((size_t)100 << 10)

static bool run_fork(struct dice *dice)
{
	size_t pages = 1 + roll(dice, 512);
	char *area = map_aligned(HUGE);
	pid_t pid;

	if (!area)
		return false;
	touch(area, pages, 'p');
	pid = bear();
	if (pid == 0) {
		touch(area, pages / 2, 'c');
		_exit(untouched_since(area, pages / 2, 'c') ? 0 : 3);
	}
	if (pid > 0 && !reap(pid))
		pid = -1;
	if (!untouched_since(area, pages, 'p'))
		corrupted("a child wrote into its parent");
	munmap(area, HUGE);
	return pid > 0;
}

static bool run_vfork(struct dice *dice)
{
	pid_t pid = vfork();

	(void)dice;
	if (pid == 0) {
		execl(SELF, "churn", "leave", NULL);
		_exit(1);
	}
	return pid > 0 && reap(pid);
}

/* A process calls exec several times. */
static bool run_exec(struct dice *dice)
{
	char times[] = { (char)('1' + roll(dice, 4)), 0 };
	pid_t pid = bear();

	if (pid == 0) {
		execl(SELF, "churn", "again", times, NULL);
		_exit(1);
	}
	return pid > 0 && reap(pid);
}

static bool run_huge_argv(struct dice *dice)
{
	size_t count = 1 + roll(dice, 10);
	char *argument =
		mmap(NULL, LONG_ARGUMENT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *argv[16] = { "churn", "leave" };
	size_t i;
	pid_t pid;

	if (argument == MAP_FAILED)
		return false;
	memset(argument, 'a', LONG_ARGUMENT - 1);
	for (i = 0; i < count; i++)
		argv[2 + i] = argument;
	pid = bear();
	if (pid == 0) {
		execv(SELF, argv);
		_exit(1);
	}
	munmap(argument, LONG_ARGUMENT);
	return pid > 0 && reap(pid);
}

static void *short_life(void *pages)
{
	char stack[8 * PAGE];

	touch(stack, (size_t)pages, 's');
	return NULL;
}

static bool run_threads(struct dice *dice)
{
	pthread_t thread[MAX_THREADS];
	size_t i, started, wanted = 1 + roll(dice, MAX_THREADS);
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, THREAD_STACK);
	for (started = 0; started < wanted; started++) {
		if (pthread_create(&thread[started], &attributes, short_life, (void *)(1 + roll(dice, 7))))
			break;
	}
	for (i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	pthread_attr_destroy(&attributes);
	return started == wanted;
}

/* A child that maps and unmaps is killed at a random time. */
static bool run_kill(struct dice *dice)
{
	pid_t pid = bear();

	if (pid == 0) {
		for (;;) {
			char *area = map_aligned(HUGE);

			if (!area)
				_exit(0);
			touch(area, 256, 'k');
			munmap(area, HUGE);
		}
	}
	if (pid < 0)
		return false;
	usleep((unsigned int)roll(dice, 20000));
	kill(pid, SIGKILL);
	reap(pid);
	return true;
}

/* Makes a zombie for some time, and an orphan that outlives its parent. */
static bool run_zombie(struct dice *dice)
{
	unsigned int life = (unsigned int)roll(dice, 20000);
	pid_t pid = bear();

	if (pid == 0) {
		if (fork() == 0)
			usleep(life);
		_exit(0);
	}
	if (pid < 0)
		return false;
	usleep(life);
	return reap(pid);
}

/* Names with separators of snapshot fields, names that are not text, and empty names. */
static bool run_names(struct dice *dice)
{
	static const char *const names[] = { "", ", ", "a,b|c\\d", "new\nline", "T: 1, 2", "\xff\xfe",
		"fifteen letters", " x ", "\t" };
	pid_t pid = bear();

	if (pid == 0) {
		size_t i;

		for (i = 0; i < 64; i++) {
			prctl(PR_SET_NAME, names[roll(dice, sizeof(names) / sizeof(*names))]);
			usleep(100);
		}
		_exit(0);
	}
	return pid > 0 && reap(pid);
}

static bool join_cgroup(void)
{
	char path[256], pid[16];
	int file, length = snprintf(pid, sizeof(pid), "%d", getpid());
	bool joined;

	snprintf(path, sizeof(path), "%s/cgroup.procs", churn_cgroup);
	file = open(path, O_WRONLY);
	joined = file >= 0 && write(file, pid, (size_t)length) == length;
	close(file);
	return joined;
}

/* A child that exceeds the memory limit of its cgroup. Returns true if it was killed. */
static bool run_hunger(struct dice *dice)
{
	size_t most = (size_t)256 << 20;
	pid_t pid;
	int status;

	if (!churn_cgroup)
		return false;
	pid = bear();
	if (pid == 0) {
		int file = open("/proc/self/oom_score_adj", O_WRONLY);
		char *area = map_aligned(most);

		if (!area || file < 0 || write(file, "1000", 4) != 4 || !join_cgroup())
			_exit(1);
		if (roll(dice, 2))
			madvise(area, most, MADV_HUGEPAGE);
		touch(area, most / PAGE, 'o');
		_exit(2);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
		WTERMSIG(status) == SIGKILL;
}

const struct kind process_kinds[] = {
	{ "fork", run_fork, 10 },
	{ "vfork", run_vfork, 8 },
	{ "exec", run_exec, 6 },
	{ "huge-argv", run_huge_argv, 4 },
	{ "threads", run_threads, 8 },
	{ "kill", run_kill, 8 },
	{ "zombie", run_zombie, 6 },
	{ "names", run_names, 3 },
	{ "hunger", run_hunger, 2 },
	{}
};

int exec_role(int argc, char **argv)
{
	static char next[2];

	if (argc != 3 || strcmp(argv[1], "again") || argv[2][0] <= '0')
		return 0;
	next[0] = (char)(argv[2][0] - 1);
	execl(SELF, "churn", "again", next, NULL);
	return 1;
}
