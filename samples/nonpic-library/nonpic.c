/* SPDX-License-Identifier: MIT */
/*
 * A library compiled without -fPIC: its code has absolute addresses, so the loader must write to it
 * (DT_TEXTREL). Each page that it writes to becomes a private copy in each process.
 */
static int table[4096];

/* Four functions on four pages, each with absolute addresses of its own in the code. */
#define ON_ITS_OWN_PAGE __attribute__((aligned(4096), noinline))

ON_ITS_OWN_PAGE int *nonpic_first(void) { return &table[0]; }
ON_ITS_OWN_PAGE int *nonpic_second(void) { return &table[1024]; }
ON_ITS_OWN_PAGE int *nonpic_third(void) { return &table[2048]; }
ON_ITS_OWN_PAGE int *nonpic_fourth(void) { return &table[3072]; }
