/* SPDX-License-Identifier: MIT
 * Preloaded into a program under test: a fault at one of its calls that write to files (pwrite,
 * fdatasync, fsync, ftruncate, unlink), so that a test can choose each of them in turn.
 *
 *   IO_FAULT=kill:N   the program ends with SIGKILL at call N. Of a write, half is done before
 *   IO_FAULT=full:N   from call N on, writes fail with ENOSPC
 *   IO_FAULT=stop:N   the program stops with SIGSTOP before call N
 *   IO_FAULT=lock:N   the program stops with SIGSTOP before it sets lock N of a file (fcntl)
 *   IO_FAULT_COUNT=FILE  the numbers of calls and of locks are written there at the end
 *   IO_FAULT_AWAKE=1     usleep and nanosleep return at once: waiting for a lock takes no time
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static unsigned long calls, locks;

static int is_at(const char* kind, unsigned long number, int or_later) {
  const char* fault = getenv("IO_FAULT");
  const size_t length = strlen(kind);
  unsigned long wanted;

  if (!fault || strncmp(fault, kind, length) != 0) return 0;
  wanted = strtoul(fault + length, NULL, 10);
  return number == wanted || (or_later && number > wanted);
}

/* The next function of this name. */
static void* next(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);

  if (!function) abort();
  return function;
}

static unsigned long before_call(void) {
  const unsigned long number = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);

  if (is_at("stop:", number, 0)) raise(SIGSTOP);
  return number;
}

static void may_end(unsigned long number) {
  if (is_at("kill:", number, 0)) raise(SIGKILL);
}

typedef ssize_t write_call(int, const void*, size_t, off64_t);

static ssize_t write_with(write_call* call, int file, const void* bytes, size_t size, off64_t at) {
  const unsigned long number = before_call();

  if (is_at("kill:", number, 0)) {
    call(file, bytes, size / 2, at);
    raise(SIGKILL);
  }
  if (is_at("full:", number, 1)) {
    errno = ENOSPC;
    return -1;
  }
  return call(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return write_with((write_call*)next("pwrite64"), file, bytes, size, at);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  return write_with((write_call*)next("pwrite64"), file, bytes, size, at);
}

int fcntl64(int file, int command, ...) {
  va_list arguments;
  void* argument;

  va_start(arguments, command);
  argument = va_arg(arguments, void*);
  va_end(arguments);
  if (command == F_SETLK && is_at("lock:", __atomic_add_fetch(&locks, 1, __ATOMIC_RELAXED), 0))
    raise(SIGSTOP);
  return ((int (*)(int, int, void*))next("fcntl64"))(file, command, argument);
}

int fdatasync(int file) {
  may_end(before_call());
  return ((int (*)(int))next("fdatasync"))(file);
}

int fsync(int file) {
  may_end(before_call());
  return ((int (*)(int))next("fsync"))(file);
}

int ftruncate64(int file, off64_t size) {
  may_end(before_call());
  return ((int (*)(int, off64_t))next("ftruncate64"))(file, size);
}

int ftruncate(int file, off_t size) {
  return ftruncate64(file, size);
}

int unlink(const char* path) {
  may_end(before_call());
  return ((int (*)(const char*))next("unlink"))(path);
}

int usleep(useconds_t time) {
  return getenv("IO_FAULT_AWAKE") ? 0 : ((int (*)(useconds_t))next("usleep"))(time);
}

int nanosleep(const struct timespec* time, struct timespec* left) {
  return getenv("IO_FAULT_AWAKE")
             ? 0
             : ((int (*)(const struct timespec*, struct timespec*))next("nanosleep"))(time, left);
}

__attribute__((destructor)) static void at_end(void) {
  const char* path = getenv("IO_FAULT_COUNT");
  FILE* file = path ? fopen(path, "w") : NULL;

  if (!file) return;
  fprintf(file, "%lu %lu\n", calls, locks);
  fclose(file);
}
