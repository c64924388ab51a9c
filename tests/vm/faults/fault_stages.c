// SPDX-License-Identifier: MIT
#include "fault_stages.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

/* The counts at one time. Reading them causes no fault: all memory that is written has been written
 * to before. */
struct look {
  long used;     /* faults of this thread, by getrusage */
  long thread;   /* COUNT of the row of this thread; 0 if there is none */
  long process;  /* COUNT of the row of the process */
};

struct stage {
  const char *name;
  long wanted;
  struct look before, after;
};

static char text[1 << 20];

static long count_in_row(long pid) {
  char begin[32];
  snprintf(begin, sizeof begin, "\n%ld\t", pid);
  const char *row = strstr(text, begin);
  if (!row) return 0;
  row += strlen(begin);
  for (int tabs = 0; tabs < 2; row++) tabs += *row == '\t';  /* skips COMM with VMA, RSS */
  return atol(row);
}

static struct look look(void) {
  struct rusage usage;
  struct look seen = {0};
  getrusage(RUSAGE_THREAD, &usage);
  seen.used = usage.ru_minflt + usage.ru_majflt;
  int file = open("/proc/MemoryMonitor", O_RDONLY);
  size_t size = 0;
  for (ssize_t n; file >= 0 && size + 1 < sizeof text &&
                  (n = read(file, text + size, sizeof text - 1 - size)) > 0;)
    size += n;
  text[size] = 0;
  close(file);
  seen.thread = count_in_row(syscall(SYS_gettid));
  seen.process = count_in_row(getpid());
  return seen;
}

static void begin(struct stage *stage, const char *name, long wanted) {
  stage->name = name;
  stage->wanted = wanted;
  look();
  stage->before = look();
}

static void print_stage(const struct stage *stage) {
  printf("%s %ld %ld %ld %ld\n", stage->name, stage->wanted, stage->after.used - stage->before.used,
         stage->after.thread - stage->before.thread, stage->after.process - stage->before.process);
  fflush(stdout);
}

char *fresh_pages(size_t pages) {
  size_t size = pages * sysconf(_SC_PAGESIZE);
  char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) perror("mmap"), exit(2);
  madvise(at, size, MADV_NOHUGEPAGE);
  return at;
}

void touch(char *pages, size_t n) {
  size_t step = sysconf(_SC_PAGESIZE);
  for (size_t i = 0; i < n; i++) ((volatile char *)pages)[i * step] = 1;
}

/* The number of these pages that are swapped, by bit 62 of the pagemap. */
static long swapped(const char *pages, size_t n) {
  size_t step = sysconf(_SC_PAGESIZE);
  uint64_t entry[kPages];
  int file = open("/proc/self/pagemap", O_RDONLY);
  long found = 0;
  if (pread(file, entry, n * sizeof *entry, (uintptr_t)pages / step * sizeof *entry) ==
      (ssize_t)(n * sizeof *entry))
    for (size_t i = 0; i < n; i++) found += entry[i] >> 62 & 1;
  close(file);
  return found;
}

static void *in_thread(void *stage) {
  char *pages = fresh_pages(kPages);
  begin(stage, "thread", kPages);
  touch(pages, kPages);
  ((struct stage *)stage)->after = look();
  return NULL;
}

static sigjmp_buf back;
static void jump(int signal_number) { siglongjmp(back, signal_number); }

/* A fault that fails is not counted. It is tried twice, because the first signal touches new pages
 * of the stack. */
static void beyond_file(const char *pages) {
  if (!sigsetjmp(back, 1)) (void)*(const volatile char *)pages;
}

static void fail(struct stage *stage) {
  size_t size = sysconf(_SC_PAGESIZE);
  int file = open("/tmp/empty", O_RDWR | O_CREAT | O_TRUNC, 0600);
  char *pages = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
  signal(SIGBUS, jump);
  beyond_file(pages);
  begin(stage, "beyond_the_file", 0);
  beyond_file(pages);
  stage->after = look();
  print_stage(stage);
  munmap(pages, size);
  close(file);
}

/* A child writes to pages that it shares with its parent. */
static void copy_on_write(struct stage *stage, char *pages) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    memset(text, 0, sizeof text);
    begin(stage, "copy_on_write", kPages);
    touch(pages, kPages);
    stage->after = look();
    print_stage(stage);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

static void page_out(struct stage *stage, char *pages) {
  if (madvise(pages, (size_t)kPages * sysconf(_SC_PAGESIZE), MADV_PAGEOUT) != 0)
    return perror("MADV_PAGEOUT");
  long out = swapped(pages, kPages);
  if (out == 0) {
    puts("swapped_out none");
    return;
  }
  begin(stage, "swapped_out", out);
  touch(pages, kPages);
  stage->after = look();
  print_stage(stage);
}

int run_stages(void) {
  static struct stage stage;
  char *pages = fresh_pages(kPages);
  memset(text, 1, sizeof text);
  look();
  begin(&stage, "nothing", 0);
  stage.after = look();
  print_stage(&stage);
  begin(&stage, "first_touch", kPages);
  touch(pages, kPages);
  stage.after = look();
  print_stage(&stage);
  begin(&stage, "second_touch", 0);
  touch(pages, kPages);
  stage.after = look();
  print_stage(&stage);
  page_out(&stage, pages);
  char *locked = fresh_pages(kPages);
  begin(&stage, "mlock", kPages);
  mlock(locked, (size_t)kPages * sysconf(_SC_PAGESIZE));
  stage.after = look();
  print_stage(&stage);
  fail(&stage);
  pthread_t thread;
  pthread_create(&thread, NULL, in_thread, &stage);
  pthread_join(thread, NULL);
  print_stage(&stage);
  copy_on_write(&stage, pages);
  return 0;
}
