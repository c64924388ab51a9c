/* SPDX-License-Identifier: MIT */
/*
 * Checks while reading whether a stream of bytes is a snapshot (formats/physmem-records.md): each
 * line begins like a record, records are in order, and the numbers of entries match P: and E:. This
 * detects errors of a collector under stress; the analyzer's parser checks more.
 */
#ifndef PHYSMEM_TESTS_VM_STRESS_RECORD_CHECK_H
#define PHYSMEM_TESTS_VM_STRESS_RECORD_CHECK_H

#include <stdbool.h>
#include <stddef.h>

struct record_check {
  char line[160];        /* the beginning of this line, without its end */
  size_t length;         /* of this line so far */
  unsigned long entries; /* '=' in this line */
  unsigned long lines;
  char letter; /* of the last record */
  unsigned long tasks, areas, pages, swapped;
  unsigned long area_pages, area_swapped, stated_pages, stated_swapped;
  bool ended;      /* E: was read */
  char error[256]; /* the first error; empty if there is none */
};

/* Checks the next bytes. False if they are wrong; `error` has the reason. */
bool record_check_feed(struct record_check* check, const char* bytes, size_t size);

/* Ends the stream. False if there was an error, or the end is missing. */
bool record_check_finish(struct record_check* check);

#endif
