// SPDX-License-Identifier: MIT
#include "registration.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"

static void tell(const char *status_file, char operation)
{
	char line[32];
	const int size = snprintf(line, sizeof line, "%c %d\n", operation, (int)getpid());
	const int file = open(status_file, O_WRONLY | O_APPEND | O_CLOEXEC);

	if (file < 0 || write(file, line, (size_t)size) != size)
		load_say("not profiled: cannot write \"%c %d\" to %s: %s", operation, (int)getpid(), status_file, strerror(errno));
	if (file >= 0)
		close(file);
}

void load_register(const char *status_file)
{
	tell(status_file, 'R');
}

void load_unregister(const char *status_file)
{
	tell(status_file, 'U');
}
