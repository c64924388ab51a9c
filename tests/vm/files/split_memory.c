/* SPDX-License-Identifier: MIT */
/*
 * Splits free memory into single pages: takes memory and gives every second page back.
 *
 *   split-memory MIB
 *
 * Prints "ready" and keeps the other half until it is killed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = argc == 2 ? strtoul(argv[1], NULL, 10) << 20 : 0;
	char *area;
	size_t i;

	if (bytes == 0) {
		fprintf(stderr, "usage: split-memory MIB\n");
		return 2;
	}
	area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	madvise(area, bytes, MADV_NOHUGEPAGE); /* fails on kernels without huge pages */
	memset(area, 'k', bytes);
	for (i = 0; i + 1 < bytes / page; i += 2)
		if (madvise(area + i * page, page, MADV_DONTNEED)) {
			perror("madvise");
			return 1;
		}
	printf("ready\n");
	fflush(stdout);
	pause();
	return 0;
}
