/* SPDX-License-Identifier: MIT */
/* The loads. Each takes its command line, with its name first, and returns an exit status. */
#ifndef PHYSMEM_LOADS_LOAD_H
#define PHYSMEM_LOADS_LOAD_H

int load_work(int argc, char** argv);
int load_columns(int argc, char** argv);
int load_pagefault1(int argc, char** argv);
int load_pair(int argc, char** argv);
int load_pagefault2(int argc, char** argv);
int load_leak(int argc, char** argv);
int load_touch(int argc, char** argv);
int load_grow(int argc, char** argv);

#endif
