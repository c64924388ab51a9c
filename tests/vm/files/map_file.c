/* SPDX-License-Identifier: MIT */
/*
 * Maps parts of a file and reads each page of them, and no other page:
 *
 *   map-file FILE FIRST PAGES [FIRST PAGES]...
 *
 * FIRST is the number of a page in the file. Prints "ready", and keeps them until it is killed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void map(int fd, size_t first, size_t pages)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *area =
		mmap(NULL, pages * page, PROT_READ, MAP_SHARED, fd, (off_t)(first * page));
	size_t i;

	if (area == MAP_FAILED)
		fail("mmap");
	/* Without it a fault maps the pages around it, too. */
	if (madvise((void *)area, pages * page, MADV_RANDOM))
		fail("madvise");
	for (i = 0; i < pages; i++)
		(void)area[i * page];
}

int main(int argc, char **argv)
{
	const int fd = argc < 4 ? -1 : open(argv[1], O_RDONLY);
	int i;

	if (argc < 4 || argc % 2 != 0) {
		fputs("usage: map-file FILE FIRST PAGES [FIRST PAGES]...\n", stderr);
		return 2;
	}
	if (fd < 0)
		fail(argv[1]);
	for (i = 2; i < argc; i += 2)
		map(fd, strtoul(argv[i], NULL, 10), strtoul(argv[i + 1], NULL, 10));
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}
