// SPDX-License-Identifier: MIT
/*
 * Many tasks that share this process's memory and wait:
 *
 *   many-tasks threads N       N threads
 *   many-tasks processes N     N processes
 *
 * Prints "ready" when all are there. Ends, with all of them, when its standard input does.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STACK_BYTES 2048u	/* of a task that only makes system calls */

static int wait_for_end(void *unused)
{
	(void)unused;
	while (pause())
		;
	return 0;
}

int main(int argc, char *argv[])
{
	const int threads = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
	size_t n = argc == 3 ? strtoul(argv[2], NULL, 10) : 0, i;
	int flags = n && !strcmp(argv[1], "threads") ? threads : CLONE_VM;
	char *stacks, byte;

	if (!n || (flags != threads && strcmp(argv[1], "processes")))
		return fputs("usage: many-tasks threads|processes N\n", stderr) < 0 ? 1 : 2;
	stacks = mmap(NULL, n * STACK_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stacks == MAP_FAILED)
		return 1;
	setpgid(0, 0);
	for (i = 0; i < n; i++) {
		if (clone(wait_for_end, stacks + (i + 1) * STACK_BYTES, flags, NULL) < 0) {
			perror("many-tasks: clone");
			kill(0, SIGKILL);
		}
	}
	puts("ready");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return kill(0, SIGKILL);
}
