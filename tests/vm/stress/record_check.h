/* SPDX-License-Identifier: MIT */
/*
 * Whether a stream of bytes is a snapshot (formats/physmem-records.md), as it comes: each line
 * begins as a record does, records are in order, entries are as many as P: and E: say. It sees what
 * a collector does wrong under stress; the analyzer's parser checks more.
 */
#ifndef PHYSMEM_TESTS_VM_STRESS_RECORD_CHECK_H
#define PHYSMEM_TESTS_VM_STRESS_RECORD_CHECK_H

#include <stdbool.h>
#include <stddef.h>

struct record_check {
  char line[160];        /* the beginning of this line, without its end */
  size_t length;         /* of the whole line so far */
  unsigned long entries; /* '=' in this line */
  unsigned long lines;
  char letter; /* of the last record */
  unsigned long tasks, areas, pages, swapped;
  unsigned long area_pages, area_swapped, said_pages, said_swapped;
  bool ended;      /* E: was there */
  char error[256]; /* what was wrong first; empty: nothing */
};

/* The next bytes. False: they are wrong, error says how. */
bool record_check_feed(struct record_check* check, const char* bytes, size_t size);

/* All bytes were there. False: something was wrong, or the end is missing. */
bool record_check_finish(struct record_check* check);

#endif
