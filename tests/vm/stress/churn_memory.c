/* SPDX-License-Identifier: MIT */
/* Common code of the kinds of stress. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "churn.h"

static char page_mark(size_t page, char mark)
{
	return (char)(mark + (char)(page % 61));
}

void touch(char *start, size_t pages, char mark)
{
	size_t i;

	for (i = 0; i < pages; i++)
		*(volatile char *)(start + i * PAGE) = page_mark(i, mark);
}

bool untouched_since(const char *start, size_t pages, char mark)
{
	size_t i;

	for (i = 0; i < pages; i++) {
		if (*(const volatile char *)(start + i * PAGE) != page_mark(i, mark))
			return false;
	}
	return true;
}

char *map_aligned(size_t bytes)
{
	char *map = mmap(
		NULL, bytes + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char *start;

	if (map == MAP_FAILED)
		return NULL;
	start = (char *)(((size_t)map + HUGE - 1) / HUGE * HUGE);
	if (start > map)
		munmap(map, (size_t)(start - map));
	munmap(start + bytes, HUGE - (size_t)(start - map));
	return start;
}

bool make_hole(char *page)
{
	return mmap(page, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
		0) == page;
}

pid_t bear(void)
{
	pid_t pid = fork();

	if (pid == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

bool reap(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return false;
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
