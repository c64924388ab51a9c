/* SPDX-License-Identifier: MIT */
/*
 * Keeps files of known size in the page cache that no folder shows:
 *
 *   known-files DISK TMPFS
 *
 * DISK and TMPFS are folders, the first on a disk, the second in memory. Prints one line per file,
 * "NAME MAJOR:MINOR INODE PAGES MAPPED", then "ready", and keeps the files until it is killed.
 * Numbers are written as in a snapshot: hexadecimal device, pages of which so many are mapped.
 * Also keeps 8 MiB of anonymous memory, and prints "huge PAGES", how much of it is in huge pages.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static size_t page;

static void require(int is_true, const char *what)
{
	if (is_true)
		return;
	perror(what);
	exit(1);
}

static void fill(int fd, size_t pages)
{
	char *text = malloc(page);
	size_t i;

	require(text != NULL, "malloc");
	memset(text, 'k', page);
	for (i = 0; i < pages; i++)
		require(write(fd, text, page) == (ssize_t)page, "write");
	free(text);
	/* Only clean pages have no place in a list of the file system. */
	require(!fsync(fd), "fsync");
}

static void map(int fd, size_t pages)
{
	volatile char *area = mmap(NULL, pages * page, PROT_READ, MAP_SHARED, fd, 0);
	size_t i;

	require(area != MAP_FAILED, "mmap");
	/* Without it a fault maps the pages around it, too. */
	require(!madvise((void *)area, pages * page, MADV_RANDOM), "madvise");
	for (i = 0; i < pages; i++)
		(void)area[i * page];
}

/* The file stays open. */
static void keep(const char *name, int fd, size_t pages, size_t mapped)
{
	struct stat status;

	require(fd >= 0, name);
	fill(fd, pages);
	if (mapped)
		map(fd, mapped);
	require(!fstat(fd, &status), "fstat");
	printf("%s %02X:%02X %llu %zu %zu\n", name, major(status.st_dev), minor(status.st_dev),
	       (unsigned long long)status.st_ino, pages, mapped);
}

static int open_in(const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
}

/* Its inode is its number, on the same device as a memfd. It ends with this process. */
static void keep_shared_memory(size_t pages, dev_t device)
{
	int id = shmget(IPC_PRIVATE, pages * page, IPC_CREAT | 0600);
	char *area = id < 0 ? (void *)-1 : shmat(id, NULL, 0);

	require(area != (void *)-1, "shmat");
	require(!shmctl(id, IPC_RMID, NULL), "shmctl");
	memset(area, 'k', pages * page);
	printf("system-v %02X:%02X %d %zu %zu\n", major(device), minor(device), id, pages, pages);
}

/* /proc/self/smaps_rollup has the sum of the process, which has no other huge pages. */
static size_t pages_in_huge_pages(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	char line[256];
	size_t kb = 0;

	require(file != NULL, "/proc/self/smaps_rollup");
	while (fgets(line, sizeof(line), file) && sscanf(line, "AnonHugePages: %zu", &kb) != 1)
		;
	fclose(file);
	return kb * 1024 / page;
}

static void keep_huge_pages(size_t bytes)
{
	char *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	require(area != MAP_FAILED, "mmap");
	madvise(area, bytes, MADV_HUGEPAGE);	/* fails on kernels without huge pages */
	memset(area, 'k', bytes);
	printf("huge %zu\n", pages_in_huge_pages());
}

int main(int argc, char *argv[])
{
	struct stat status;
	int memfd;

	if (argc != 3) {
		fprintf(stderr, "usage: known-files DISK TMPFS\n");
		return 2;
	}
	page = (size_t)sysconf(_SC_PAGESIZE);
	keep("half-mapped", open_in(argv[1], "half"), 200, 100);
	keep("tmpfile", open(argv[1], O_RDWR | O_TMPFILE, 0600), 130, 0);
	keep("tmpfile-in-memory", open(argv[2], O_RDWR | O_TMPFILE, 0600), 90, 0);
	memfd = memfd_create("known", 0);
	keep("memfd", memfd, 400, 0);
	require(!fstat(memfd, &status), "fstat");
	keep_shared_memory(120, status.st_dev);
	keep_huge_pages(8 << 20);
	printf("ready\n");
	fflush(stdout);
	pause();
	return 0;
}
