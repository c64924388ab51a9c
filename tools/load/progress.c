// SPDX-License-Identifier: MIT
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *load_name = "";
static struct timespec load_began;

void load_begin(const char *name)
{
	load_name = name;
	clock_gettime(CLOCK_MONOTONIC, &load_began);
}

double load_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - load_began.tv_sec) +
	       (double)(now.tv_nsec - load_began.tv_nsec) / 1e9;
}

struct message {
	char text[4 * 512];
};

/* Messages contain arguments, so bytes that could control a terminal are escaped as \ooo. */
static struct message formatted(const char *format, va_list arguments)
{
	char given[512];
	struct message message = { "" };
	char *end = message.text;

	vsnprintf(given, sizeof given, format, arguments);
	for (const char *c = given; *c; c++)
		end += sprintf(end, *c >= ' ' && *c <= '~' ? "%c" : "\\%03o", (unsigned char)*c);
	return message;
}

void load_say(const char *format, ...)
{
	struct message message;
	va_list arguments;

	va_start(arguments, format);
	message = formatted(format, arguments);
	va_end(arguments);
	/* A single write, so that lines of several processes are not mixed. */
	dprintf(STDERR_FILENO, "physmem-load%s%s[%d] %.3f s: %s\n", *load_name ? " " : "",
		load_name, (int)getpid(), load_began.tv_sec ? load_time() : 0.0, message.text);
}

void load_refuse(const char *format, ...)
{
	struct message message;
	va_list arguments;

	va_start(arguments, format);
	message = formatted(format, arguments);
	va_end(arguments);
	fprintf(stderr, "physmem-load%s%s: %s\n", *load_name ? " " : "", load_name, message.text);
}

bool load_is_over(double seconds)
{
	return seconds > 0 && load_time() >= seconds;
}

void load_sleep(double seconds, double end)
{
	struct timespec left;

	if (end > 0 && seconds > end - load_time())
		seconds = end - load_time();
	if (seconds <= 0)
		return;
	left.tv_sec = (time_t)seconds;
	left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		;
}

/* Makes the child end with its parent. The parent waits at `ready` until this is set up. */
static void watch_parent(pid_t parent, int ready)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it ended before prctl() */
		_exit(LOAD_IO);
	close(ready);
}

int load_fork(void)
{
	const pid_t parent = getpid();
	int ready[2];
	char byte;
	pid_t child;

	fflush(NULL); /* or the child would write buffered output again */
	child = pipe2(ready, O_CLOEXEC) == 0 ? fork() : -1;
	if (child < 0) {
		load_say("cannot start another process: %s", strerror(errno));
		return child;
	}
	if (child == 0) {
		close(ready[0]);
		watch_parent(parent, ready[1]);
		return 0;
	}
	/*
	 * Waits until the child closes its end. A child that is stopped earlier would outlive the
	 * parent.
	 */
	close(ready[1]);
	while (read(ready[0], &byte, 1) < 0 && errno == EINTR)
		;
	close(ready[0]);
	return child;
}

void load_end_children(const int *pids, int count)
{
	for (int i = 0; i < count; i++)
		kill(pids[i], SIGKILL);
	for (int i = 0; i < count; i++)
		while (waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
			;
}
