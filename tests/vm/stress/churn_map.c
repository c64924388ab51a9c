/* SPDX-License-Identifier: MIT */
/* Stress with VMAs: they appear, move, grow, shrink, change their protection, and their file is
 * truncated. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "churn.h"

#ifndef MAP_FIXED_NOREPLACE /* Linux 4.17 */
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef PR_SET_VMA /* Linux 5.17 */
#define PR_SET_VMA 0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif

static char *map_private(size_t bytes)
{
	char *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return area == MAP_FAILED ? NULL : area;
}

/* Maps, moves and resizes an area, makes a hole, and unmaps it. */
static bool run_remap(struct dice *dice)
{
	size_t pages = 2 + roll(dice, 1000), after = 2 + roll(dice, 1000),
		least = pages < after ? pages : after;
	char *area = map_private(pages * PAGE), *moved;

	if (!area)
		return false;
	touch(area, pages, 'r');
	moved = mremap(area, pages * PAGE, after * PAGE, MREMAP_MAYMOVE);
	if (moved == MAP_FAILED) {
		munmap(area, pages * PAGE);
		return false;
	}
	if (!untouched_since(moved, least, 'r'))
		corrupted("mremap");
	make_hole(moved + roll(dice, after) * PAGE);
	munmap(moved, after * PAGE);
	return true;
}

/* Changes the protection of every other page: one VMA becomes many, then one again. */
static bool run_protect(struct dice *dice)
{
	static const int protections[] = { PROT_NONE, PROT_READ, PROT_READ | PROT_EXEC };
	size_t i, pages = 4 + roll(dice, 124);
	int protection = protections[roll(dice, 3)];
	char *area = map_private(pages * PAGE);

	if (!area)
		return false;
	touch(area, pages, 'm');
	for (i = 0; i < pages; i += 2)
		mprotect(area + i * PAGE, PAGE, protection);
	mprotect(area, pages * PAGE, PROT_READ | PROT_WRITE);
	if (!untouched_since(area, pages, 'm'))
		corrupted("mprotect");
	munmap(area, pages * PAGE);
	return true;
}

/* Maps single pages far apart, each with page tables of its own, which are freed at once. */
static bool run_sparse(struct dice *dice)
{
	char *area[32];
	size_t i, mapped = 0;

	for (i = 0; i < 32; i++) {
		char *wanted = (char *)((size_t)(1 + roll(dice, 0x7000)) << 32 | (size_t)roll(dice, 0x7ff) << 21);

		area[mapped] = mmap(
			wanted, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		if (area[mapped] == MAP_FAILED)
			continue;
		touch(area[mapped++], 1, 'f');
	}
	for (i = 0; i < mapped; i++)
		munmap(area[i], PAGE);
	return mapped > 0;
}

/* A mapped file is truncated to half its size, gets a hole, and grows again. */
static bool run_truncate(struct dice *dice)
{
	size_t pages = 4 + 2 * roll(dice, 500), half = pages / 2;
	int file = memfd_create("churn, a file", 0);
	char *area;

	if (file < 0 || ftruncate(file, (off_t)(pages * PAGE)))
		return false;
	area = mmap(
		NULL, pages * PAGE, PROT_READ | PROT_WRITE, roll(dice, 2) ? MAP_SHARED : MAP_PRIVATE, file, 0);
	if (area == MAP_FAILED) {
		close(file);
		return false;
	}
	touch(area, pages, 't');
	if (ftruncate(file, (off_t)(half * PAGE)))
		corrupted("ftruncate failed");
	if (!untouched_since(area, half, 't'))
		corrupted("ftruncate");
	fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)PAGE);
	if (!ftruncate(file, (off_t)(pages * PAGE)))
		touch(area, pages, 'u');
	munmap(area, pages * PAGE);
	close(file);
	return true;
}

/* A child writes to shared memory, and the parent removes part of it. */
static bool run_shared(struct dice *dice)
{
	size_t pages = 16 + roll(dice, 500);
	char *area = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool done;
	pid_t pid;

	if (area == MAP_FAILED)
		return false;
	pid = bear();
	if (pid == 0) {
		touch(area, pages, 'h');
		_exit(0);
	}
	done = pid > 0 && reap(pid);
	if (done && !untouched_since(area, pages, 'h'))
		corrupted("shared memory");
	madvise(area, 8 * PAGE, MADV_REMOVE);
	munmap(area, pages * PAGE);
	return done;
}

static bool run_hugetlb(struct dice *dice)
{
	size_t bytes = (1 + roll(dice, 2)) * HUGE;
	int shared = roll(dice, 2) ? MAP_SHARED : MAP_PRIVATE;
	char *area =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, shared | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	if (area == MAP_FAILED)
		return false;
	touch(area, bytes / PAGE, 'g');
	if (!untouched_since(area, bytes / PAGE, 'g'))
		corrupted("hugetlb");
	munmap(area, bytes);
	return true;
}

/* Faults that userfaultfd handles, and page-table entries with its write-protect marks. */
static bool run_userfault(struct dice *dice)
{
	size_t pages = 8 + roll(dice, 200);
	struct uffdio_api api = { .api = UFFD_API };
	char *area = map_private(pages * PAGE);
	int file = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	struct uffdio_range range = { (size_t)area, pages * PAGE };
	struct uffdio_register registration = { .range = range,
		.mode = UFFDIO_REGISTER_MODE_MISSING | UFFDIO_REGISTER_MODE_WP };
	struct uffdio_zeropage zero = { .range = { (size_t)area, 4 * PAGE } };
	struct uffdio_writeprotect protect = { .range = range, .mode = UFFDIO_WRITEPROTECT_MODE_WP };
	bool done = area && file >= 0 && !ioctl(file, UFFDIO_API, &api) &&
		!ioctl(file, UFFDIO_REGISTER, &registration);

	if (done) {
		done = !ioctl(file, UFFDIO_ZEROPAGE, &zero) && !ioctl(file, UFFDIO_WRITEPROTECT, &protect);
		ioctl(file, UFFDIO_UNREGISTER, &range);
		touch(area, pages, 'y');
	}
	close(file);
	if (area)
		munmap(area, pages * PAGE);
	return done;
}

static bool run_area_names(struct dice *dice)
{
	static const char *const names[] = { "a name", "T: x", "(a) <b> {c}", "",
		"12345678901234567890123456789012345678901234567890" };
	char *area = map_private(3 * PAGE);
	size_t i, named = 0;

	if (!area)
		return false;
	for (i = 0; i < 32; i++) {
		const char *name = names[roll(dice, sizeof(names) / sizeof(*names))];

		named += !prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, area + PAGE * roll(dice, 3), PAGE, name);
		touch(area, 3, 'n');
	}
	munmap(area, 3 * PAGE);
	return named > 0;
}

const struct kind map_kinds[] = {
	{ "remap", run_remap, 10 },
	{ "protect", run_protect, 8 },
	{ "sparse", run_sparse, 8 },
	{ "truncate", run_truncate, 10 },
	{ "shared", run_shared, 6 },
	{ "hugetlb", run_hugetlb, 6 },
	{ "userfault", run_userfault, 4 },
	{ "area-names", run_area_names, 3 },
	{}
};
