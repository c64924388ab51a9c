/* SPDX-License-Identifier: MIT */
/*
 * A client of the profiler as specified by the assignment: it reads the samples in the buffer,
 * prints them, and overwrites them with -1. Intentionally it uses no code of physmem and has the
 * conventions of the assignment: `node` is in the working directory, the buffer is 128 pages of
 * 12000 samples, and no sample begins with -1.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 128, LONGS = 48000, LONGS_OF_SAMPLE = 4 };

static long *map_node(void)
{
	int fd = open("node", O_RDWR | O_SYNC);
	void *map;

	if (fd < 0) {
		printf("file open error. node\n");
		exit(1);
	}
	map = mmap(0, (size_t)PAGES * (size_t)getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED) {
		printf("buf file open error.\n");
		exit(1);
	}
	close(fd);
	return map;
}

/* Prints the long and removes it. */
static void take(long *at, const char *format)
{
	printf(format, *at);
	*at = -1;
}

int main(void)
{
	long *buf = map_node();
	int samples = 0;
	int i = 0;

	while (i < LONGS && buf[i] == -1)
		i++;
	/* If the ring is full, this reads the long after the ring, as other clients do. */
	while (buf[i] != -1) {
		take(&buf[i], "%ld ");
		take(&buf[i + 1], "%ld ");
		take(&buf[i + 2], "%ld ");
		take(&buf[i + 3], "%ld\n");
		samples++;
		i += LONGS_OF_SAMPLE;
		if (i >= LONGS)
			i = 0;
	}
	printf("read %d profiled data\n", samples);
	return 0;
}
