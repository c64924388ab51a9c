/* SPDX-License-Identifier: MIT */
/* Ways to map the profiler's device. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include "subject.h"

static int page_bytes;

struct attempt {
	const char *what;
	long offset, pages;	/* pages */
	int protection, flags, open_flags;
};

static const struct attempt attempts[] = {
	{ "all, read and write", 0, 128, PROT_READ | PROT_WRITE, MAP_SHARED, O_RDWR | O_SYNC },
	{ "all, read only", 0, 128, PROT_READ, MAP_SHARED, O_RDONLY },
	{ "first page", 0, 1, PROT_READ | PROT_WRITE, MAP_SHARED, O_RDWR },
	{ "last page", 127, 1, PROT_READ, MAP_SHARED, O_RDONLY },
	{ "one page too many", 0, 129, PROT_READ, MAP_SHARED, O_RDONLY },
	{ "a page after the end", 128, 1, PROT_READ, MAP_SHARED, O_RDONLY },
	{ "half outside", 64, 65, PROT_READ, MAP_SHARED, O_RDONLY },
	{ "far after the end", 1L << 40, 1, PROT_READ, MAP_SHARED, O_RDONLY },
	{ "private, to write", 0, 128, PROT_READ | PROT_WRITE, MAP_PRIVATE, O_RDWR },
	{ "private, to read", 0, 128, PROT_READ, MAP_PRIVATE, O_RDONLY },
	{ "executable", 0, 128, PROT_READ | PROT_EXEC, MAP_SHARED, O_RDONLY },
	{ "to write, opened to read", 0, 128, PROT_READ | PROT_WRITE, MAP_SHARED, O_RDONLY },
};

static void *map_as(const char *node, const struct attempt *attempt)
{
	int fd = open(node, attempt->open_flags);
	void *map;

	if (fd < 0)
		return MAP_FAILED;
	map = mmap(NULL, (size_t)attempt->pages * (size_t)page_bytes, attempt->protection, attempt->flags,
		fd, attempt->offset * page_bytes);
	close(fd);
	return map;
}

static const char *result(int failed)
{
	return failed ? strerror(errno) : "ok";
}

/* Changes a mapping of the whole device. */
static void change_mapping(char *map)
{
	size_t bytes = 128 * (size_t)page_bytes;
	char *moved;

	printf("made executable: %s\n", result(mprotect(map, bytes, PROT_READ | PROT_EXEC)));
	printf("made read only: %s\n", result(mprotect(map, bytes, PROT_READ)));
	moved = mremap(map, bytes, bytes + (size_t)page_bytes, MREMAP_MAYMOVE);
	printf("made longer: %s\n", result(moved == MAP_FAILED));
	printf("a part unmapped: %s\n", result(munmap(map + page_bytes, (size_t)page_bytes)));
	munmap(map, bytes);
}

/* The permissions in /proc/self/maps, such as "r--s"; empty if there is no such mapping. */
static const char *permissions(const void *map)
{
	static char found[5];
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start;

	strcpy(found, "");
	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%*x %4s", &start, found) == 2 && start == (unsigned long)map)
			break;
		else
			strcpy(found, "");
	if (maps)
		fclose(maps);
	return found;
}

/* Maps like a program without PT_GNU_STACK, where the kernel adds PROT_EXEC to PROT_READ. */
int map_as_old_program(const char *node)
{
	char *map;
	char *anonymous;

	page_bytes = getpagesize();
	personality(PER_LINUX | READ_IMPLIES_EXEC);
	anonymous = mmap(NULL, (size_t)page_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	printf("other memory: %s\n", permissions(anonymous));
	map = map_as(node, &attempts[0]);
	printf("all, read and write: %s\n", result(map == MAP_FAILED));
	if (map == MAP_FAILED)
		return 1;
	printf("it is: %s\n", permissions(map));
	map[0] = map[0];
	printf(
		"made executable: %s\n", result(mprotect(map, 128 * (size_t)page_bytes, PROT_READ | PROT_EXEC)));
	printf("made read only: %s\n", result(mprotect(map, 128 * (size_t)page_bytes, PROT_READ)));
	printf("then it is: %s\n", permissions(map));
	return 0;
}

int try_mappings(const char *node)
{
	page_bytes = getpagesize();
	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
		const struct attempt *attempt = &attempts[i];
		void *map = map_as(node, attempt);

		printf("%s: %s\n", attempt->what, result(map == MAP_FAILED));
		if (map != MAP_FAILED)
			munmap(map, (size_t)attempt->pages * (size_t)page_bytes);
	}
	change_mapping(map_as(node, &attempts[0]));
	return 0;
}

int hold_mapping(const char *node, unsigned int seconds)
{
	page_bytes = getpagesize();
	if (map_as(node, &attempts[0]) == MAP_FAILED) {
		perror(node);
		return 1;
	}
	puts("mapped");
	fflush(stdout);
	sleep(seconds);
	return 0;
}
