/* SPDX-License-Identifier: MIT */
/*
 * profile-subject COMMAND: operations on the profiler that tests cannot do in sh.
 *
 *   write            one write() of all of standard input to the status file; prints the result
 *   touch N HOW      registers itself, touches N pages once, and ends: HOW is plain, dies, thread
 *   touch 0 HOW      exec-by-thread: registers itself, and continues as another thread;
 *                    churns: causes faults endlessly
 *   mappings NODE    maps the device in several ways, and prints the results
 *   old NODE         maps the device like a program without PT_GNU_STACK, and prints the results
 *   hold NODE S      maps the device, closes it, and sleeps
 *   become PID       starts a sleeping child with that process id (requires ns_last_pid)
 *   race NODE S      processes register, unregister, map, unmap and end at the same time
 *   reserved         prints how many frames of the machine are reserved
 *   samples NODE     prints the samples in the order of the buffer, which is not changed
 */
#define _GNU_SOURCE
#include "subject.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int write_command(const char *command, size_t length)
{
	int fd = open(STATUS_FILE, O_WRONLY);
	int error;

	if (fd < 0)
		return errno;
	error = write(fd, command, length) < 0 ? errno : 0;
	close(fd);
	return error;
}

void must_write(char letter, int pid)
{
	char command[32];
	int length = snprintf(command, sizeof(command), "%c %d\n", letter, pid);
	int error = write_command(command, (size_t)length);

	if (!error)
		return;
	fprintf(stderr, "%c %d: %s\n", letter, pid, strerror(error));
	exit(1);
}

static int write_input(void)
{
	char text[8192];
	size_t length = fread(text, 1, sizeof(text), stdin);

	puts(strerror(write_command(text, length)));
	return 0;
}

static int become(int pid)
{
	int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY);
	char text[16];
	int length = snprintf(text, sizeof(text), "%d", pid - 1);
	pid_t child;

	if (fd < 0 || write(fd, text, (size_t)length) != length)
		return 1;
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	printf("%d\n", child);
	return child == pid ? 0 : 1;
}

static int print_samples(const char *node)
{
	size_t bytes = 128 * (size_t)getpagesize();
	int fd = open(node, O_RDONLY);
	const long *map = fd < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED) {
		perror(node);
		return 1;
	}
	for (size_t i = 0; i < 48000; i += 4)
		if (map[i] != -1)
			printf("%ld %ld %ld %ld\n", map[i], map[i + 1], map[i + 2], map[i + 3]);
	for (size_t i = 48000; i < bytes / sizeof(long); i++)
		if (map[i] != -1)
			printf("long %zu is %ld\n", i, map[i]);
	return 0;
}

/* Bit 32 of /proc/kpageflags is KPF_RESERVED. */
static int count_reserved(void)
{
	int fd = open("/proc/kpageflags", O_RDONLY);
	unsigned long long flags[4096];
	unsigned long reserved = 0;
	ssize_t bytes;

	while ((bytes = read(fd, flags, sizeof(flags))) > 0)
		for (size_t i = 0; i < (size_t)bytes / sizeof(flags[0]); i++)
			reserved += flags[i] >> 32 & 1;
	printf("%lu\n", reserved);
	return bytes < 0;
}

static unsigned int number(const char *text)
{
	return (unsigned int)strtoul(text, NULL, 10);
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";

	if (!strcmp(command, "write"))
		return write_input();
	if (!strcmp(command, "touch") && argc == 4)
		return touch_pages(number(argv[2]), argv[3]);
	if (!strcmp(command, "mappings") && argc == 3)
		return try_mappings(argv[2]);
	if (!strcmp(command, "old") && argc == 3)
		return map_as_old_program(argv[2]);
	if (!strcmp(command, "hold") && argc == 4)
		return hold_mapping(argv[2], number(argv[3]));
	if (!strcmp(command, "become") && argc == 3)
		return become((int)number(argv[2]));
	if (!strcmp(command, "race") && argc == 4)
		return race(argv[2], number(argv[3]));
	if (!strcmp(command, "reserved"))
		return count_reserved();
	if (!strcmp(command, "samples") && argc == 3)
		return print_samples(argv[2]);
	fprintf(stderr, "profile-subject: found '%s', expected a command; its source has them\n", command);
	return 2;
}
