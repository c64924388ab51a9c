/* SPDX-License-Identifier: MIT */
/* Long options of a load. A table has the destination and the allowed values of each option. */
#ifndef PHYSMEM_LOADS_OPTION_H
#define PHYSMEM_LOADS_OPTION_H

#include <stdbool.h>

struct load_option {
  const char* name;
  /* Destination of the value. Exactly one is set; it determines the kind of option. */
  long long* number; /* whole number, min..max */
  double* seconds;   /* decimal number in `unit`, min..max */
  const char** text;
  bool* flag; /* set to true */
  long long min;
  long long max;
  const char* unit; /* of *seconds, for error messages; NULL: seconds */
};

/* Maximum duration: 100 years, so that sums of times cannot overflow. */
#define LOAD_MAX_SECONDS 3155760000LL

/* Rows of a table: --duration, and its older spelling --seconds. */
#define LOAD_DURATION(destination)                                                              \
  {.name = "duration", .seconds = (destination), .min = 0, .max = LOAD_MAX_SECONDS},            \
      {.name = "seconds", .seconds = (destination), .min = 0, .max = LOAD_MAX_SECONDS}

/*
 * Reads the options and the words after them. `words` names the required words, as in "MB R|L
 * ACCESSES"; NULL: none. The words begin at argv[optind]. The table ends with a NULL name. Returns
 * false, after a message, if the command line is wrong.
 */
bool load_options(int argc, char** argv, const struct load_option* table, const char* words);

/*
 * Parses a whole number in min..max. Returns false, after a message that names `what`, if it is
 * not one.
 */
bool load_number(const char* what, const char* text, long long min, long long max,
                 long long* value);

#endif
