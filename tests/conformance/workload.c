/* SPDX-License-Identifier: MIT */
/* Maps a known pattern of pages, prints it, and stops. The patterns are in workload_cases.c. */
#define _GNU_SOURCE
#include "workload.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

size_t page_bytes;
size_t huge_bytes;

_Noreturn void skip(const char *reason)
{
	printf("skip %s\n", reason);
	fflush(stdout);
	exit(0);
}

char *map_anonymous(size_t bytes)
{
	char *map = mmap(NULL, bytes + HUGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char *start;

	if (map == MAP_FAILED)
		skip("not enough memory");
	start = (char *)(((size_t)map + HUGE - 1) / HUGE * HUGE);
	if (start > map)
		munmap(map, (size_t)(start - map));
	/* A page between two VMAs prevents the kernel from merging them. */
	munmap(start + bytes, HUGE - (size_t)(start - map));
	madvise(start, bytes, MADV_NOHUGEPAGE);
	return start;
}

void touch(char *start, size_t first_page, size_t pages)
{
	for (size_t i = first_page; i < first_page + pages; i++)
		*(volatile char *)(start + i * PAGE) = (char)(i % 100 + 1);
}

void read_pages(const char *start, size_t first_page, size_t pages)
{
	for (size_t i = first_page; i < first_page + pages; i++)
		(void)*(const volatile char *)(start + i * PAGE);
}

long long number_in(const char *path, const char *word)
{
	char line[256];
	long long value = -1;
	FILE *file = fopen(path, "r");

	while (file && value < 0 && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, word, strlen(word)))
			sscanf(line + strlen(word), "%lld", &value);
	}
	if (file)
		fclose(file);
	return value;
}

pid_t spawn(void (*body)(void))
{
	pid_t pid = fork();

	if (pid < 0)
		skip("cannot start a child process");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		body();
		for (;;)
			raise(SIGSTOP);
	}
	waitpid(pid, NULL, WUNTRACED);
	print_process(pid);
	return pid;
}

void expect(pid_t pid, const void *start, size_t bytes, const char *unit, const char *pattern, ...)
{
	va_list arguments;

	printf("expect %d %zx %zu ", pid ? pid : getpid(), (size_t)start, bytes);
	va_start(arguments, pattern);
	vprintf(pattern, arguments);
	va_end(arguments);
	printf(" %s\n", unit);
}

void print_process(pid_t pid)
{
	printf("process %d\n", pid);
}

void print_same_memory(pid_t pid, pid_t owner)
{
	printf("same_memory %d %d\n", pid, owner);
}

_Noreturn void wait_until_killed(void)
{
	printf("ready\n");
	fflush(stdout);
	for (;;)
		raise(SIGSTOP);
}

/* 2 MiB is the size on nearly all machines. Without transparent huge pages any size will do. */
static void learn_sizes(void)
{
	const long long huge = number_in("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "");

	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	huge_bytes = huge > 0 ? (size_t)huge : (size_t)2 << 20;
}

/* Runs the case and does not return, if the list contains it. */
static void run_case(const struct workload_case *one, const char *name)
{
	for (; one->name; one++) {
		if (strcmp(name, one->name))
			continue;
		print_process(getpid());
		one->run();
		wait_until_killed();
	}
}

int main(int argc, char **argv)
{
	static char buffer[1 << 16];

	learn_sizes();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Line buffering, so that children do not print the remaining buffer of their parent. */
	setvbuf(stdout, buffer, _IOLBF, sizeof(buffer));
	if (argc == 2) {
		run_case(workload_cases, argv[1]);
		run_case(workload_swap_cases, argv[1]);
		run_case(workload_task_cases, argv[1]);
	}
	fprintf(stderr, "usage: physmem-workload CASE; the cases are in tests/conformance/"
			"workload*_cases.c\n");
	return 2;
}
