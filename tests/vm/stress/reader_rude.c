/* SPDX-License-Identifier: MIT */
/* Readers that misuse the device. It may refuse their calls, but must not return wrong data, hang
 * or crash. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <unistd.h>

#include "readers.h"
#include "record_check.h"

#define VICTIM_BYTES ((size_t)16 << 20)
#define DEATH_SECONDS 60

static int open_device(int mode)
{
	int file = open(readers_device, mode);

	if (file < 0) {
		readers_wrong("open: %s", strerror(errno));
		exit(1);
	}
	return file;
}

/* Starts a child with much memory in small pages that waits to be killed. */
static pid_t bear_victim(void)
{
	pid_t pid = fork();
	char *area;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	area = mmap(NULL, VICTIM_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area != MAP_FAILED) {
		madvise(area, VICTIM_BYTES, MADV_NOHUGEPAGE);
		memset(area, 1, VICTIM_BYTES);
	}
	prctl(PR_SET_NAME, "reader-victim");
	for (;;)
		pause();
}

/* Stops reading in the middle of a process until that has been killed, then continues. */
static void read_dying(size_t block)
{
	static char buffer[4096 + 1];
	struct record_check check;
	pid_t victim = bear_victim();
	int file;
	size_t bytes = 0;
	ssize_t n;

	memset(&check, 0, sizeof(check));
	usleep(300000);
	file = open_device(O_RDONLY);
	while ((n = read(file, buffer, block)) > 0) {
		bytes += (size_t)n;
		buffer[n] = '\0';
		if (!record_check_feed(&check, buffer, (size_t)n))
			break;
		if (victim > 0 && strstr(buffer, "T: reader-victim")) {
			usleep(readers_roll(2) * 5000);
			kill(victim, SIGKILL);
			waitpid(victim, NULL, 0);
			victim = -1;
			sleep(1 + readers_roll(3));
		}
	}
	if (n < 0 || !record_check_finish(&check))
		readers_wrong("%zu bytes, then %zd (%s): %s", bytes, n, strerror(errno), check.error);
	else
		readers_whole(bytes);
	close(file);
	if (victim > 0) {
		kill(victim, SIGKILL);
		waitpid(victim, NULL, 0);
	}
}

static _Noreturn void read_for_ever(size_t block)
{
	char *buffer = malloc(block);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		int file = open(readers_device, O_RDONLY);

		while (read(file, buffer, block) > 0)
			;
		close(file);
	}
}

/* A signal during a read must end the reader soon. */
static void read_until_killed(size_t block)
{
	pid_t pid = fork();
	int waited;

	if (pid == 0)
		read_for_ever(block);
	usleep(readers_roll(200000));
	kill(pid, readers_roll(2) ? SIGKILL : SIGINT);
	for (waited = 0; waitpid(pid, NULL, WNOHANG) == 0; waited++) {
		if (waited == DEATH_SECONDS * 100) {
			readers_wrong("a reader lives %d s after the signal that should have ended it", DEATH_SECONDS);
			kill(pid, SIGKILL);
			waitpid(pid, NULL, 0);
			return;
		}
		usleep(10000);
	}
}

static void open_and_close(size_t times)
{
	while (times--)
		close(open_device(O_RDONLY));
	usleep(10000);
}

/* Checks that `call` failed with one of two errors. */
static void must_fail(const char *call, long result, int error, int other)
{
	if (result >= 0)
		readers_wrong("%s gave %ld", call, result);
	else if (errno != error && errno != other)
		readers_wrong("%s failed with %s", call, strerror(errno));
}

static void ask_for_nonsense(size_t size)
{
	char buffer[64];
	int file = open_device(O_RDWR);
	struct pollfd poll_for = { file, POLLIN, 0 };
	char *map = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);

	must_fail("mmap", map == MAP_FAILED ? -1 : 0, ENODEV, EACCES);
	must_fail("lseek", lseek(file, 100, SEEK_SET), ESPIPE, EINVAL);
	must_fail("pread", pread(file, buffer, sizeof(buffer), 100), ESPIPE, EINVAL);
	must_fail("write", write(file, "x", 1), EINVAL, EBADF);
	must_fail("ioctl", ioctl(file, TIOCGWINSZ, buffer), ENOTTY, EINVAL);
	must_fail("ftruncate", ftruncate(file, 0), EINVAL, EBADF);
	must_fail("read to a bad address", read(file, (void *)8, size), EFAULT, EFAULT);
	must_fail("read to the kernel", read(file, (void *)0xffff888000000000ul, size), EFAULT, EFAULT);
	if (poll(&poll_for, 1, 10000) != 1 || !(poll_for.revents & POLLIN))
		readers_wrong("poll() returned the events %#x", poll_for.revents);
	if (read(file, buffer, 0) != 0)
		readers_wrong("a read of 0 bytes fails: %s", strerror(errno));
	if (read(file, buffer, 5) != 5 || memcmp(buffer, "H: 2,", 5))
		readers_wrong("after these calls the snapshot does not begin with H: 2,");
	close(file);
	usleep(20000);
}

/* A read into partly unmapped memory returns the bytes before the hole, and the next one
 * continues. */
static void read_into_a_hole(size_t size)
{
	struct record_check check;
	char *area = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int file = open_device(O_RDONLY);
	size_t bytes = 0;
	ssize_t n;

	memset(&check, 0, sizeof(check));
	munmap(area + size, size);
	while ((n = read(file, area + size / 2, size)) > 0) {
		bytes += (size_t)n;
		if ((size_t)n > size / 2 || !record_check_feed(&check, area + size / 2, (size_t)n))
			break;
	}
	if (n || !record_check_finish(&check))
		readers_wrong(
			"%zu bytes, then %zd (%s): %s", bytes, n, n < 0 ? strerror(errno) : "", check.error);
	else
		readers_whole(bytes);
	munmap(area, size);
	close(file);
}

static void *read_shared(void *file)
{
	char buffer[5000];

	while (read((int)(size_t)file, buffer, sizeof(buffer)) > 0)
		;
	return NULL;
}

/* Threads and a child share one open file, and each gets a part of the text. */
static void share_a_file(size_t threads)
{
	int file = open_device(O_RDONLY);
	pthread_t thread[8];
	size_t i;
	pid_t pid = fork();

	if (pid == 0) {
		read_shared((void *)(size_t)file);
		_exit(0);
	}
	for (i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, read_shared, (void *)(size_t)file);
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	waitpid(pid, NULL, 0);
	close(file);
}

const struct reader rude_readers[] = {
	{ "dying", read_dying, 4096 },
	{ "killed", read_until_killed, 1 << 18 },
	{ "opener", open_and_close, 20 },
	{ "nonsense", ask_for_nonsense, 4096 },
	{ "hole", read_into_a_hole, 8192 },
	{ "shared", share_a_file, 3 },
	{}
};
