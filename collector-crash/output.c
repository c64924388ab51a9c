// SPDX-License-Identifier: MIT
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int flush(void *to, const char *text, size_t len)
{
	struct pm_output *output = to;

	return fwrite(text, 1, len, output->stream) == len ? 0 : -errno;
}

static FILE *open_temporary(struct pm_output *output)
{
	int used = snprintf(output->temporary, sizeof(output->temporary), "%s.XXXXXX", output->file);
	FILE *stream;
	int fd;

	if (used >= (int)sizeof(output->temporary)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	fd = mkstemp(output->temporary);
	if (fd < 0)
		return NULL;
	stream = fdopen(fd, "w");
	if (!stream) {
		close(fd);
		unlink(output->temporary);
	}
	return stream;
}

int pm_output_open(struct pm_output *output, const char *file, FILE *stream)
{
	struct stat what;

	output->out = (struct pm_out){
		.buf = output->text,
		.size = sizeof(output->text),
		.flush = flush,
		.to = output,
	};
	output->stream = stream;
	output->file = file;
	output->temporary[0] = '\0';
	if (!file)
		return 0;
	if (!stat(file, &what) && !S_ISREG(what.st_mode))
		output->stream = fopen(file, "w");
	else
		output->stream = open_temporary(output);
	return output->stream ? 0 : -errno;
}

int pm_output_close(struct pm_output *output, int failed)
{
	if (!output->stream)
		return failed;
	if (!output->file) {
		if (fflush(output->stream) && !failed)
			failed = -errno;
		output->stream = NULL;
		return failed;
	}
	if (fclose(output->stream) && !failed)
		failed = -errno;
	output->stream = NULL;
	if (!output->temporary[0])
		return failed;
	if (!failed && rename(output->temporary, output->file))
		failed = -errno;
	if (failed)
		unlink(output->temporary);
	return failed;
}
