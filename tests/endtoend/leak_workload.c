// SPDX-License-Identifier: MIT
/*
 * Starts twenty processes, of which one leaks a page per millisecond. A search for leaks must not
 * report the others, which do one of these: nothing; growth that ends after a few seconds; random
 * allocation and release; a cache that fills and is emptied; slow reading of a file.
 *
 *   leak-workload SECONDS SCRATCH-FILE
 *   leak-workload --steps SCRATCH-FILE
 *
 * Prints "leak PID" and "other KIND PID" for each, then lines "at NANOSECONDS PAGES": the number of
 * pages that the leaking process had allocated at that time since boot. Ends after SECONDS, or when
 * its standard output is closed.
 *
 * With --steps the time is simulated. It does not advance while all twenty processes are stopped
 * (SIGSTOP), and each line of standard input lets them run for one simulated second. "stopped" is
 * printed when they have stopped again. Ends at the end of standard input.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 20, SAW_PAGES = 600, CHURN_SLOTS = 400, START_PAGES = 1500, FILE_PAGES = 3000 };

static size_t page_size;
static const char *scratch;
static unsigned int seed; /* different in each process, the same in each run */

/* With --steps: the simulated time of this process, which begins at 0. */
static bool has_steps;
static long long step_ns;

static long long now_ns(void)
{
	struct timespec now;

	if (has_steps)
		return step_ns;
	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void sleep_until(long long ns)
{
	const struct timespec until = { ns / 1000000000, ns % 1000000000 };

	for (; has_steps && step_ns < ns; step_ns += 1000000000)
		raise(SIGSTOP);
	while (!has_steps && clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &until, NULL) != 0)
		;
}

/* Allocates a page of the heap that the process never frees. */
static void take_page(void)
{
	char *page = sbrk((intptr_t)page_size);

	if (page == (char *)-1)
		exit(1);
	*page = 1;
}

/* Leaks a page for each millisecond that has passed; a delayed process catches up. */
static void leak(long long begin)
{
	long long taken = 0;

	for (;;) {
		const long long due = (now_ns() - begin) / 1000000;

		for (; taken < due; taken++)
			take_page();
		if (taken % 50 < 5 || due % 50 == 0) {
			printf("at %lld %lld\n", now_ns(), taken);
			fflush(stdout);
		}
		sleep_until(begin + (taken + 5) * 1000000);
	}
}

static void idle(long long begin)
{
	for (;;)
		sleep_until(begin += 1000000000);
}

/* Grows for four seconds. */
static void start_up(long long begin)
{
	for (long long i = 0; i < START_PAGES; i++) {
		take_page();
		sleep_until(begin + i * 4000000000LL / START_PAGES);
	}
	idle(begin);
}

/* Allocates and frees blocks of 1 to 16 pages at random. */
static void churn(long long begin)
{
	static struct { void *at; size_t size; } slots[CHURN_SLOTS];

	srand(seed);
	for (long long i = 0;; i++) {
		const int k = rand() % CHURN_SLOTS;

		if (slots[k].at) {
			munmap(slots[k].at, slots[k].size);
			slots[k].at = NULL;
		} else {
			slots[k].size = (size_t)(1 + rand() % 16) * page_size;
			slots[k].at = mmap(NULL, slots[k].size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			if (slots[k].at == MAP_FAILED)
				exit(1);
			memset(slots[k].at, 1, slots[k].size);
		}
		/* The work of the first seconds is done at once, so that the size is stable in the series. */
		if (i > 4 * CHURN_SLOTS)
			sleep_until(begin + (i - 4 * CHURN_SLOTS) * 2000000);
	}
}

/* Fills a cache in 2.7 s and empties it at once. */
static void saw_tooth(long long begin)
{
	char *cache = mmap(NULL, SAW_PAGES * page_size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (cache == MAP_FAILED)
		exit(1);
	for (long long i = 0;; i++) {
		cache[(size_t)(i % SAW_PAGES) * page_size] = 1;
		if (i % SAW_PAGES == SAW_PAGES - 1)
			madvise(cache, SAW_PAGES * page_size, MADV_DONTNEED);
		sleep_until(begin + i * 4500000);
	}
}

/* Reads a page of a file every 5 ms. */
static void page_in(long long begin)
{
	const int fd = open(scratch, O_RDONLY);
	const volatile char *file = mmap(NULL, FILE_PAGES * page_size, PROT_READ, MAP_SHARED, fd, 0);

	if (file == MAP_FAILED)
		exit(1);
	madvise((void *)file, FILE_PAGES * page_size, MADV_RANDOM);
	for (size_t i = 0; i < FILE_PAGES; i++) {
		(void)file[i * page_size];
		sleep_until(begin + (long long)i * 5000000);
	}
	idle(begin);
}

static const struct {
	const char *name;
	void (*run)(long long begin);
} kinds[] = {
	{ "idle", idle },
	{ "start-up", start_up },
	{ "churn", churn },
	{ "saw-tooth", saw_tooth },
	{ "page-in", page_in },
};

static pid_t start(const char *name, void (*run)(long long), long long begin, unsigned int number)
{
	const pid_t parent = getpid();
	const pid_t pid = fork();

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	prctl(PR_SET_NAME, name);
	seed = number;
	run(begin);
	_exit(0);
}

static void make_file(void)
{
	const int fd = open(scratch, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *page = calloc(1, page_size);

	if (fd < 0 || !page)
		exit(1);
	for (int i = 0; i < FILE_PAGES; i++)
		if (write(fd, page, page_size) != (ssize_t)page_size)
			exit(1);
	free(page);
	close(fd);
}

/* Each step begins with a line of standard input, and ends when each process has stopped itself. */
static void follow_steps(const pid_t *pids)
{
	char line[80];
	int status;

	do {
		for (int i = 0; i < PROCESSES; i++)
			if (waitpid(pids[i], &status, WUNTRACED) != pids[i] || !WIFSTOPPED(status))
				return;
		puts("stopped");
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return;
		for (int i = 0; i < PROCESSES; i++)
			kill(pids[i], SIGCONT);
	} while (true);
}

int main(int argc, char *argv[])
{
	pid_t pids[PROCESSES];

	if (argc != 3)
		return 2;
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	scratch = argv[2];
	has_steps = strcmp(argv[1], "--steps") == 0;
	make_file();
	const long long begin = now_ns();

	for (int i = 0; i < PROCESSES; i++) {
		const size_t kind = (size_t)i % (sizeof(kinds) / sizeof(kinds[0]));

		pids[i] = i == 0 ? start("leak", leak, begin, 0) :
				   start(kinds[kind].name, kinds[kind].run, begin, (unsigned int)i);
		if (pids[i] < 0)
			return 1;
		if (i == 0)
			printf("leak %d\n", pids[i]);
		else
			printf("other %s %d\n", kinds[kind].name, pids[i]);
		fflush(stdout);
	}
	if (has_steps)
		follow_steps(pids);
	else
		sleep_until(begin + atoll(argv[1]) * 1000000000LL);
	for (int i = 0; i < PROCESSES; i++)
		kill(pids[i], SIGKILL);
	while (wait(NULL) > 0)
		;
	return 0;
}
