/* SPDX-License-Identifier: MIT */
/* Processes register, unregister, map, unmap, end and read the list at the same time. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "subject.h"

enum { WORKERS = 4 };

static void try_to_write(char letter, int pid)
{
	char command[32];
	int length = snprintf(command, sizeof(command), "%c %d\n", letter, pid);

	(void)write_command(command, (size_t)length);
}

static void map_and_scribble(const char *node)
{
	size_t bytes = 128 * (size_t)getpagesize();
	int fd = open(node, O_RDWR);
	long *map = fd < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	if (map == MAP_FAILED)
		return;
	for (size_t i = 0; i < bytes / sizeof(long); i += 997)
		map[i] = (long)i;
	munmap(map, bytes);
}

static void read_list(void)
{
	char text[4096];
	int fd = open(STATUS_FILE, O_RDONLY);

	while (fd >= 0 && read(fd, text, sizeof(text)) > 0)
		continue;
	if (fd >= 0)
		close(fd);
}

/* Starts a child that is registered, causes faults, and is killed while it does so. */
static void short_life(void)
{
	pid_t child = fork();

	if (!child) {
		for (;;) {
			char *map = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

			if (map != MAP_FAILED) {
				memset(map, 1, 1 << 20);
				munmap(map, 1 << 20);
			}
		}
	}
	try_to_write('R', child);
	usleep((useconds_t)(rand() % 120000));
	if (rand() % 2)
		try_to_write('U', child);
	kill(child, SIGKILL);
	if (rand() % 2)
		try_to_write('R', child);
	waitpid(child, NULL, 0);
	try_to_write('U', child);
}

static unsigned long work(const char *node, time_t end)
{
	unsigned long rounds = 0;

	while (time(NULL) < end) {
		switch (rand() % 4) {
		case 0: short_life(); break;
		case 1: map_and_scribble(node); break;
		case 2: read_list(); break;
		default:
			try_to_write('R', getpid());
			try_to_write('U', getpid());
		}
		rounds++;
	}
	return rounds;
}

int race(const char *node, unsigned int seconds)
{
	time_t end = time(NULL) + (time_t)seconds;

	for (int i = 0; i < WORKERS; i++) {
		if (fork())
			continue;
		srand((unsigned int)i + 1);
		printf("%lu rounds\n", work(node, end));
		fflush(stdout);
		_exit(0);
	}
	while (wait(NULL) > 0)
		continue;
	return 0;
}
