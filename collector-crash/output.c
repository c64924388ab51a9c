// SPDX-License-Identifier: MIT
#include "output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int flush(void *to, const char *text, size_t len)
{
	struct pm_output *output = to;

	return fwrite(text, 1, len, output->stream) == len ? 0 : -errno;
}

static bool is_trusted(uid_t owner)
{
	return owner == 0 || owner == geteuid();
}

static void cut_to_folder(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		slash[slash == path] = '\0';
	else
		strcpy(path, ".");
}

/*
 * Checks the path up to end, and reads what it is. Rejects symbolic links and FIFOs of other users.
 * Also rejects another user's file in a folder that all users can write to, as with
 * fs.protected_regular, because the owner of a replaced file is kept.
 */
static int check_owner(struct pm_output *output, const char *file, size_t end, struct stat *what)
{
	struct stat folder;
	bool is_shared;

	memcpy(output->temporary, file, end);
	output->temporary[end] = '\0';
	if (lstat(output->temporary, what))
		return -errno;
	if (is_trusted(what->st_uid))
		return 0;
	if (S_ISLNK(what->st_mode) || S_ISFIFO(what->st_mode))
		return -EPERM;
	if (!S_ISREG(what->st_mode))
		return 0;
	cut_to_folder(output->temporary);
	if (stat(output->temporary, &folder))
		return -errno;
	is_shared = folder.st_mode & S_IWOTH ||
		    (folder.st_mode & S_ISVTX && folder.st_mode & S_IWGRP);
	return is_shared ? -EPERM : 0;
}

/*
 * Checks the whole path, folder by folder. Returns 0, with the file's status in what, -ENOENT if
 * the file does not exist, or another error.
 */
static int check_path(struct pm_output *output, const char *file, struct stat *what)
{
	size_t end = 0;
	int failed;

	if (strlen(file) >= sizeof(output->temporary))
		return -ENAMETOOLONG;
	do {
		end += strspn(file + end, "/");
		end += strcspn(file + end, "/");
		failed = check_owner(output, file, end, what);
	} while (!failed && file[end]);
	output->temporary[0] = '\0';
	return failed;
}

static int keep_owner(int fd, const struct stat *old)
{
	struct stat now;

	if (fstat(fd, &now))
		return -1;
	if (now.st_uid == old->st_uid && now.st_gid == old->st_gid)
		return 0;
	return fchown(fd, old->st_uid, old->st_gid);
}

/*
 * Opens the temporary file with owner and mode of old, or, if old is NULL, readable by its owner
 * only. Returns NULL on error.
 */
static FILE *open_temporary(struct pm_output *output, const struct stat *old)
{
	int used = snprintf(output->temporary, sizeof(output->temporary), "%s.XXXXXX",
			    output->file);
	FILE *stream = NULL;
	int fd = -1;

	if (used >= (int)sizeof(output->temporary))
		errno = ENAMETOOLONG;
	else
		fd = mkstemp(output->temporary);
	if (fd < 0) {
		output->temporary[0] = '\0';
		return NULL;
	}
	if (!old || (!keep_owner(fd, old) && !fchmod(fd, old->st_mode & 0777)))
		stream = fdopen(fd, "w");
	if (!stream) {
		close(fd);
		unlink(output->temporary);
		output->temporary[0] = '\0';
	}
	return stream;
}

int pm_output_open(struct pm_output *output, const char *file, FILE *stream)
{
	struct stat what;
	int failed;

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
	output->stream = NULL;
	failed = check_path(output, file, &what);
	/* rename() would replace the link, not its target. */
	if (!failed && S_ISLNK(what.st_mode))
		return -ELOOP;
	if (failed && failed != -ENOENT)
		return failed;
	if (!failed && S_ISREG(what.st_mode) && access(file, W_OK))
		return -errno;
	if (!failed && !S_ISREG(what.st_mode))
		output->stream = fopen(file, "w");
	else
		output->stream = open_temporary(output, failed ? NULL : &what);
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
	if (output->temporary[0] && !failed &&
	    (fflush(output->stream) || fsync(fileno(output->stream))))
		failed = -errno;
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
