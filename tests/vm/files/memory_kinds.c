/* SPDX-License-Identifier: MIT */
/*
 * Takes memory of one kind, of which the kernel frees a known part when the processes end.
 *
 *   memory-kinds KIND MIB
 *
 * KIND: private    anonymous memory of one process
 *       fork       the same, shared with three children, of which each has written to a quarter
 *       huge       transparent huge pages, of which every eighth is partly given back
 *       shared     shared anonymous memory of two processes
 *       memfd      a memfd: one half mapped, one half only in the file
 *       twice      a memfd that is mapped twice
 *       deleted    a deleted file in /run, a tmpfs, that is mapped
 *       left       a file in /run that stays, and as much anonymous memory
 *       tables     one page per page table
 *       swap       anonymous memory, of which a half is asked to be swapped out
 *       threads    four threads for each MiB
 *       file       a mapped file, in the current folder, and as much anonymous memory
 * Prints the ids of all its processes and waits.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

static size_t page, bytes;
static pid_t children[8];
static int child_count;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static char *map(int flags, int fd, size_t length)
{
	char *area = mmap(NULL, length, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (area == MAP_FAILED)
		fail("mmap");
	return area;
}

static void touch(char *area, size_t length)
{
	size_t i;

	for (i = 0; i < length; i += page)
		area[i] = (char)(i / page + 1);
}

static char *anonymous(void)
{
	char *area = map(MAP_PRIVATE | MAP_ANONYMOUS, -1, bytes);

	madvise(area, bytes, MADV_NOHUGEPAGE); /* fails on kernels without huge pages */
	touch(area, bytes);
	return area;
}

/* Starts a child that touches the first bytes of the area and waits. */
static void fork_with(char *area, size_t length)
{
	int pipes[2];
	char done = 0;
	pid_t pid;

	if (pipe(pipes))
		fail("pipe");
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (pid == 0) {
		touch(area, length);
		if (write(pipes[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (read(pipes[0], &done, 1) != 1)
		fail("read");
	close(pipes[0]);
	close(pipes[1]);
	children[child_count++] = pid;
}

static int new_file(const char *path, int keeps_path)
{
	int fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : memfd_create("kinds", 0);

	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		fail("file");
	if (path && !keeps_path && unlink(path))
		fail("unlink");
	return fd;
}

static void fill_file(int fd, size_t from)
{
	char block[65536];
	size_t i;

	memset(block, 'k', sizeof(block));
	for (i = from; i < bytes; i += sizeof(block))
		if (pwrite(fd, block, sizeof(block), (off_t)i) != (ssize_t)sizeof(block))
			fail("pwrite");
}

static void huge(void)
{
	const size_t size = 2 << 20;
	char *area = map(MAP_PRIVATE | MAP_ANONYMOUS, -1, bytes + size);
	size_t i;

	area += size - (size_t)area % size;
	madvise(area, bytes, MADV_HUGEPAGE);
	touch(area, bytes);
	for (i = 0; i < bytes; i += 8 * size)
		if (madvise(area + i + page, 4 * page, MADV_DONTNEED))
			fail("madvise");
}

static void memfd(void)
{
	int fd = new_file(NULL, 0);

	touch(map(MAP_SHARED, fd, bytes / 2), bytes / 2);
	fill_file(fd, bytes / 2);
}

static void twice(void)
{
	int fd = new_file(NULL, 0);
	char *first = map(MAP_SHARED, fd, bytes), *second = map(MAP_SHARED, fd, bytes);

	touch(first, bytes);
	touch(second, bytes);
}

static void tables(void)
{
	const size_t reach = page / sizeof(void *) * page; /* of one page table */
	const size_t count = bytes / page / 2;
	char *area = map(MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, count * reach);
	size_t i;

	madvise(area, count * reach, MADV_NOHUGEPAGE);
	for (i = 0; i < count; i++)
		area[i * reach] = 1;
}

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void threads(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	size_t i;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	for (i = 0; i < bytes >> 18; i++)
		if (pthread_create(&thread, &attributes, wait_for_ever, NULL))
			fail("pthread_create");
}

static void private(void)
{
	anonymous();
}

static void forked(void)
{
	char *area = anonymous();
	int i;

	for (i = 0; i < 3; i++)
		fork_with(area, bytes / 4);
}

static void shared(void)
{
	char *area = map(MAP_SHARED | MAP_ANONYMOUS, -1, bytes);

	touch(area, bytes);
	fork_with(area, bytes);
}

static void deleted(void)
{
	touch(map(MAP_SHARED, new_file("/run/kinds.deleted", 0), bytes), bytes);
}

static void left(void)
{
	touch(map(MAP_SHARED, new_file("/run/kinds.left", 1), bytes), bytes);
	anonymous();
}

static void swap(void)
{
	madvise(anonymous(), bytes / 2, MADV_PAGEOUT);
}

static void file(void)
{
	int fd = new_file("kinds.file", 1);
	char *area;
	size_t i;

	fill_file(fd, 0);
	fsync(fd);
	area = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
	if (area == MAP_FAILED)
		fail("mmap");
	for (i = 0; i < bytes; i += page)
		((volatile char *)area)[i];
	anonymous();
}

static const struct kind {
	const char *name;
	void (*take)(void);
} kinds[] = {
	{ "private", private }, { "fork", forked },	{ "huge", huge },
	{ "shared", shared },	{ "memfd", memfd },	{ "twice", twice },
	{ "deleted", deleted }, { "left", left },	{ "tables", tables },
	{ "swap", swap },	{ "threads", threads }, { "file", file },
};

static int take(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name)) {
			kinds[i].take();
			return 1;
		}
	return 0;
}

int main(int argc, char *argv[])
{
	int i;

	page = (size_t)sysconf(_SC_PAGESIZE);
	bytes = argc == 3 ? strtoul(argv[2], NULL, 10) << 20 : 0;
	if (bytes == 0 || !take(argv[1])) {
		fprintf(stderr, "usage: memory-kinds KIND MIB\n");
		return 2;
	}
	printf("%d", (int)getpid());
	for (i = 0; i < child_count; i++)
		printf(",%d", (int)children[i]);
	printf("\n");
	fflush(stdout);
	for (;;)
		pause();
}
