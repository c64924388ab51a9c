/* SPDX-License-Identifier: MIT */
/* Readers that only read, in blocks of a given size. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "readers.h"
#include "record_check.h"

/* Each single byte takes a system call, so the snapshot is abandoned after this many. */
#define MAX_SINGLE_BYTES 20000

static void read_blocks(size_t block)
{
	static char buffer[1 << 20];
	struct record_check check;
	int file = open(readers_device, O_RDONLY);
	size_t bytes = 0;
	ssize_t n;

	memset(&check, 0, sizeof(check));
	if (file < 0) {
		readers_wrong("open: %s", strerror(errno));
		exit(1);
	}
	while ((n = read(file, buffer, block)) > 0) {
		bytes += (size_t)n;
		if (!record_check_feed(&check, buffer, (size_t)n) || (block == 1 && bytes == MAX_SINGLE_BYTES))
			break;
	}
	if (n < 0)
		readers_wrong("read: %s", strerror(errno));
	else if (check.error[0] || (n == 0 && !record_check_finish(&check)))
		readers_wrong("after %zu bytes: %s", bytes, check.error);
	else if (n == 0)
		readers_whole(bytes);
	close(file);
}

const struct reader block_readers[] = {
	{ "block-1", read_blocks, 1 },
	{ "block-777", read_blocks, 777 },
	{ "block-4099", read_blocks, 4099 },
	{ "block-65536", read_blocks, 65536 },
	{ "block-1M", read_blocks, 1 << 20 },
	{}
};
