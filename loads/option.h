/* SPDX-License-Identifier: MIT */
/* Long options of a load, by a table that says where each value goes and which ones are allowed. */
#ifndef PHYSMEM_LOADS_OPTION_H
#define PHYSMEM_LOADS_OPTION_H

#include <stdbool.h>

struct load_option {
  const char* name;
  /* Where the value goes: one of them, by what kind of option it is. */
  long long* number; /* whole, least..most */
  double* seconds;   /* or what unit says, least..most */
  const char** text;
  bool* flag; /* becomes true */
  long long least;
  long long most;
  const char* unit; /* of *seconds, as its error calls it; NULL: seconds */
};

/* Durations end here: a hundred years, so that sums of times stay far from overflow. */
#define LOAD_MOST_SECONDS 3155760000LL

/*
 * Reads the options and the words that must follow, as many as `words` names: "MB R|L ACCESSES";
 * NULL: none. False, after a message, when they are wrong. The table ends with a name that is NULL.
 * The words begin at argv[optind].
 */
bool load_options(int argc, char** argv, const struct load_option* table, const char* words);

/* A whole number in least..most. False, after a message that calls it `what`. */
bool load_number(const char* what, const char* text, long long least, long long most,
                 long long* value);

#endif
