// SPDX-License-Identifier: MIT
/*
 * Pagefault.c, version 1: writes two arrays column by column. A row is one page, so each access is
 * to a different page. By default pagefault1 runs forever, like the document's program, and columns
 * runs for a minute.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "load.h"
#include "option.h"
#include "progress.h"

#define COLUMNS 1024 /* of int: 4 KiB, one page of most machines */

typedef volatile int row_of_page[COLUMNS];

static row_of_page *rows_of_pages(long long rows)
{
	/* Like a static array: mapped, but without pages until it is written. */
	void *at = mmap(NULL, (size_t)rows * sizeof(row_of_page), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at != MAP_FAILED)
		return at;
	load_say("no memory for %lld rows: %s", rows, strerror(errno));
	return NULL;
}

static int run_columns(int argc, char **argv, double end)
{
	long long rows = 30000;
	long long columns = COLUMNS;
	long long rounds = 0;
	long long columns_per_pause = 1;
	double pause = 1;
	const struct load_option options[] = {
		{.name = "rows", .number = &rows, .min = 1, .max = 1LL << 32},
		{.name = "columns", .number = &columns, .min = 1, .max = COLUMNS},
		{.name = "rounds", .number = &rounds, .min = 0, .max = 1LL << 32},
		{.name = "columns-per-pause", .number = &columns_per_pause, .min = 1,
		 .max = 1LL << 32},
		{.name = "pause", .seconds = &pause, .min = 0, .max = LOAD_MAX_SECONDS},
		LOAD_DURATION(&end),
		{.name = NULL},
	};
	long long done = 0;

	if (!load_options(argc, argv, options, NULL))
		return LOAD_USAGE;
	row_of_page *const memory1 = rows_of_pages(rows);
	row_of_page *const memory2 = memory1 ? rows_of_pages(rows) : NULL;

	if (!memory2)
		return LOAD_IO;
	load_say("two arrays of %lld rows of %d ints", rows, COLUMNS);
	while (!load_is_over(end) && (rounds == 0 || done < rounds * columns)) {
		for (long long row = 0; row < rows; row++) {
			memory1[row][done % columns] = 1;
			memory2[row][done % columns] = 1;
		}
		done++;
		if (done == 1)
			load_say("the first column is written: every page is touched");
		if (done % columns_per_pause == 0)
			load_sleep(pause, end);
	}
	load_say("%lld columns of %lld pages are written", done, 2 * rows);
	return LOAD_DONE;
}

int load_columns(int argc, char **argv)
{
	return run_columns(argc, argv, 60);
}

int load_pagefault1(int argc, char **argv)
{
	return run_columns(argc, argv, 0);
}
