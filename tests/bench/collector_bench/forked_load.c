// SPDX-License-Identifier: MIT
/* A process with MIB of memory touched and CHILDREN that share all of it. Prints their ids in one
 * line when they are there. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static void be_a_child(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent)
		pause();
	_exit(0);
}

int main(int argc, char *argv[])
{
	size_t bytes = argc == 3 ? strtoull(argv[1], NULL, 10) << 20 : 0;
	int children = argc == 3 ? atoi(argv[2]) : 0;
	pid_t self = getpid();
	char *memory;
	int i;

	if (!bytes) {
		fputs("usage: forked_load MIB CHILDREN\n", stderr);
		return 2;
	}
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 4;
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	memset(memory, 1, bytes);
	printf("%d", (int)self);
	for (i = 0; i < children; i++) {
		pid_t child = fork();

		if (child < 0)
			return 4;
		if (!child)
			be_a_child(self);
		printf(" %d", (int)child);
	}
	puts(" ready");
	fflush(stdout);
	for (;;)
		pause();
}
