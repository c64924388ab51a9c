// SPDX-License-Identifier: MIT
#include "registration.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "progress.h"

static struct rusage usage_at_start;

/*
 * Only the write() is between the two calls of getrusage(), because the profiler starts or stops
 * counting there.
 */
static bool write_status(const char *status_file, char operation, struct rusage *before,
			 struct rusage *after)
{
	char line[32];
	const int size = snprintf(line, sizeof line, "%c %d\n", operation, (int)getpid());
	const int file = open(status_file, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);

	getrusage(RUSAGE_SELF, after); /* warms up code and memory */
	getrusage(RUSAGE_SELF, before);
	const bool is_written = file >= 0 && write(file, line, (size_t)size) == size;

	getrusage(RUSAGE_SELF, after);
	if (!is_written)
		load_say("not profiled: cannot write \"%c %d\" to %s: %s", operation, (int)getpid(),
			 status_file, strerror(errno));
	if (file >= 0)
		close(file);
	return is_written;
}

static double cpu_seconds(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

void load_register(const char *status_file)
{
	struct rusage before;

	write_status(status_file, 'R', &before, &usage_at_start);
}

void load_unregister(const char *status_file)
{
	struct rusage before;
	struct rusage after;

	if (write_status(status_file, 'U', &before, &after))
		load_say("while registered: minor=%ld major=%ld cpu=%.3f",
			 before.ru_minflt - usage_at_start.ru_minflt,
			 before.ru_majflt - usage_at_start.ru_majflt,
			 cpu_seconds(&before) - cpu_seconds(&usage_at_start));
}
