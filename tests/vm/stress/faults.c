/* SPDX-License-Identifier: MIT */
/*
 * Makes the first, the second, the third … allocation (or copy to user memory) of a task fail while
 * it opens and reads a file, or loads and unloads a module, until none is left; with STEP only
 * every STEP-th. Any result is accepted, but the kernel must not crash. Requires a kernel with
 * fault injection: /proc/thread-self/fail-nth.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FAIL_NTH "/proc/thread-self/fail-nth"
#define MAX_FAULTS 3000
/* Enough for all kinds of records, and for several copies to user memory. */
#define MAX_BYTES ((size_t)1 << 20)
#define BLOCK ((size_t)100000)

static int fail_nth;
static unsigned int tries, failures;

static void arm(int nth)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%d", nth);

	/* The first call may be the one that fails. */
	if (pwrite(fail_nth, text, (size_t)length, 0) != length &&
			pwrite(fail_nth, text, (size_t)length, 0) != length) {
		perror(FAIL_NTH);
		exit(2);
	}
}

/* Whether the failure has occurred before this call, which itself fails if it is the n-th copy to
 * user memory. */
static bool disarm(void)
{
	char text[16] = "";
	bool asked = pread(fail_nth, text, sizeof(text) - 1, 0) > 0;

	arm(0);
	return asked && atoi(text) == 0;
}

static bool try_to_read(const char *path, int nth)
{
	static char buffer[BLOCK];
	size_t bytes = 0;
	ssize_t n = 0;
	int file;

	arm(nth);
	/* Does not wait for a device that has no data. */
	file = open(path, O_RDONLY | O_NONBLOCK);
	while (file >= 0 && bytes < MAX_BYTES && (n = read(file, buffer, BLOCK)) > 0)
		bytes += (size_t)n;
	failures += file < 0 || n < 0;
	if (file >= 0)
		close(file);
	return disarm();
}

/* The module's name in the kernel: the file name without folder and ".ko". */
static const char *module_name(const char *path)
{
	static char name[64];
	const char *slash = strrchr(path, '/');

	snprintf(name, sizeof(name), "%s", slash ? slash + 1 : path);
	name[strcspn(name, ".")] = '\0';
	return name;
}

static bool try_to_load(const char *path, int nth)
{
	const char *name = module_name(path);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	long loaded, removed = 0;
	bool failed;

	if (file < 0) {
		perror(path);
		exit(2);
	}
	arm(nth);
	loaded = syscall(SYS_finit_module, file, "", 0);
	if (!loaded)
		removed = syscall(SYS_delete_module, name, O_NONBLOCK);
	failed = disarm();
	failures += loaded || removed;
	if (removed && syscall(SYS_delete_module, name, O_NONBLOCK)) {
		perror("delete_module");
		exit(1);
	}
	close(file);
	return failed;
}

int main(int argc, char **argv)
{
	bool module = argc >= 3 && !strcmp(argv[1], "module");
	int nth, step = argc == 4 ? atoi(argv[3]) : 1;

	if (argc < 3 || argc > 4 || step < 1 || (!module && strcmp(argv[1], "read"))) {
		fprintf(stderr, "usage: physmem-faults read FILE [STEP] | module FILE.ko [STEP]\n");
		return 2;
	}
	fail_nth = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	if (fail_nth < 0) {
		perror(FAIL_NTH);
		return 2;
	}
	for (nth = 1; nth <= MAX_FAULTS; nth += step, tries++) {
		if (!(module ? try_to_load(argv[2], nth) : try_to_read(argv[2], nth)))
			break;
	}
	printf("%u faults, %u of them made the call fail\n", tries, failures);
	return tries ? 0 : 1;
}
