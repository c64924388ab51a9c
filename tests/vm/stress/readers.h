/* SPDX-License-Identifier: MIT */
/* Parts of physmem-readers: kinds of readers of the device, each in a process of its own. */
#ifndef PHYSMEM_TESTS_VM_STRESS_READERS_H
#define PHYSMEM_TESTS_VM_STRESS_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The file that is read. */
extern const char* readers_device;

/* A random number from 0 to sides - 1, from this process's own sequence. */
uint32_t readers_roll(uint32_t sides);

/* Reports an error; the program will fail. */
__attribute__((format(printf, 1, 2))) void readers_wrong(const char* format, ...);

/* Counts a snapshot that was read to its end and is well-formed. */
void readers_whole(size_t bytes);

/* One kind of reader; `run` runs once and is called until the time is over. */
struct reader {
  const char* name;
  void (*run)(size_t block);
  size_t block;
};

extern const struct reader block_readers[], rude_readers[];

#endif
