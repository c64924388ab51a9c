// SPDX-License-Identifier: MIT
/*
 * Reads /dev/physmem_paging until SIGTERM, and prints the records in the text form of
 * formats/trace-records.md. At the end it prints a line with sums, "T: KEY=VALUE ...", and one with
 * the growth of /proc/vmstat, "V: KEY=VALUE ...". To be exact, it begins and ends while no page
 * moves. --quiet: prints these two lines only. --block N: reads N records at a time.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "formats/emit/paging_record.h"

enum { kMaxRecords = 4096 };

static volatile sig_atomic_t is_over;
static struct {
  unsigned long in, in_io, out, out_io, major, lost, zero, zswap, hit, nofault, readahead,
      unordered, last;
} sum;

static const char *const kKeys[] = {"pswpin",  "pswpout",    "pgmajfault", "zswpin",
                                    "zswpout", "swpin_zero", "swpout_zero"};
enum { kCounters = sizeof kKeys / sizeof *kKeys };
struct counters {
  unsigned long value[kCounters];
};

/* Reads the counters; those that this kernel does not have are 0. */
static struct counters look(void) {
  static char text[1 << 16];
  struct counters counters = {{0}};
  int file = open("/proc/vmstat", O_RDONLY);
  ssize_t n = 0, size = 0;
  while (file >= 0 && (n = read(file, text + size, sizeof text - 1 - size)) > 0) size += n;
  close(file);
  text[size] = 0;
  for (int i = 0; i < kCounters; i++) {
    char begin[32];
    snprintf(begin, sizeof begin, "\n%s ", kKeys[i]);
    const char *line = strstr(text, begin);
    if (line) counters.value[i] = strtoul(line + strlen(begin), NULL, 10);
  }
  return counters;
}

static int is_same(const struct counters *a, const struct counters *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

/* How many times in a row the counters have not changed, with a read in between. */
static int count_still(const struct counters *a, const struct counters *b, int before) {
  return is_same(a, b) ? before + 1 : 0;
}

static void end(int number) {
  (void)number;
  is_over = 1;
}

static void hex(uint64_t value) {
  value == PM_PAGING_UNKNOWN ? printf("-, ") : printf("%08llX, ", (unsigned long long)value);
}

static void dec(uint64_t value, const char *after) {
  value == PM_PAGING_UNKNOWN ? printf("-%s", after)
                             : printf("%llu%s", (unsigned long long)value, after);
}

static void print_flags(uint32_t flags) {
  static const char *const words[] = {"io",     "readahead", "hit",   "zswap",   "zram",
                                      "major",  "retry",     "zero",  "nofault", "shared",
                                      "mapped", "kept",      "failed"};
  const char *blank = "";
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (flags >> i & 1) printf("%s%s", blank, words[i]), blank = " ";
  printf("%s, ", flags ? "" : "-");
}

static void print_event(const struct pm_paging_record *record) {
  printf("%c: %llu, %llu, %u, ", record->kind == PM_PAGING_IN ? 'I' : 'O',
         (unsigned long long)record->sequence, (unsigned long long)record->time_ns, record->cpu);
  record->pid ? printf("%u, %u, %s, ", record->pid, record->tgid, record->comm)
              : printf("-, -, , ");
  hex(record->address);
  hex(record->pfn);
  printf("%u:%08llX, ", record->swap_type, (unsigned long long)record->slot);
  hex(record->sector);
  print_flags(record->flags);
  dec(record->service_ns, "\n");
}

static void add(const struct pm_paging_record *record, int is_quiet) {
  const uint32_t flags = record->flags;
  if (record->kind == PM_PAGING_LOST) {
    sum.lost += record->slot;
    if (is_quiet) return;
    printf("L: %llu, ", (unsigned long long)record->time_ns);
    dec(record->cpu == PM_PAGING_NO_CPU ? PM_PAGING_UNKNOWN : record->cpu, ", ");
    dec(record->slot, "\n");
    return;
  }
  if (record->kind == PM_PAGING_IN) sum.in++, sum.in_io += flags & PM_PAGING_IO;
  if (record->kind == PM_PAGING_OUT) sum.out++, sum.out_io += flags & PM_PAGING_IO;
  sum.major += (flags & PM_PAGING_MAJOR) != 0;
  sum.zero += (flags & PM_PAGING_ZERO) != 0;
  sum.zswap += (flags & PM_PAGING_ZSWAP) != 0;
  sum.hit += (flags & PM_PAGING_CACHE_HIT) != 0;
  sum.nofault += (flags & PM_PAGING_NO_FAULT) != 0;
  sum.readahead += (flags & PM_PAGING_READAHEAD) != 0;
  sum.unordered += record->sequence < sum.last;
  if (record->sequence > sum.last) sum.last = record->sequence;
  if (!is_quiet) print_event(record);
}

int main(int argc, char *argv[]) {
  static struct pm_paging_record records[kMaxRecords];
  int is_quiet = 0, block = kMaxRecords, is_still = 0;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quiet")) is_quiet = 1;
    else if (!strcmp(argv[i], "--block") && i + 1 < argc) block = atoi(argv[++i]);
    else return fputs("usage: paging-dump [--quiet] [--block RECORDS]\n", stderr), 2;
  }
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);
  mlockall(MCL_CURRENT | MCL_FUTURE);
  int file = -1;
  struct counters first, before, after;
  do {
    close(file);
    first = look();
    file = open("/dev/physmem_paging", O_RDONLY);
    if (file < 0) return perror("paging-dump: /dev/physmem_paging"), 4;
    before = look();
  } while (!is_same(&first, &before));
  fputs("ready\n", stderr);
  after = before;
  for (;;) {
    /* At the end, the remaining records are read without waiting. */
    if (is_over) fcntl(file, F_SETFL, O_RDONLY | O_NONBLOCK);
    ssize_t n = read(file, records, block * sizeof *records);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN && is_over) {
      /* A fault in progress, such as one of the shell that sent SIGTERM, is counted before it is
       * recorded. */
      first = after;
      usleep(500000);
      after = look();
      is_still = count_still(&first, &after, is_still);
      if (is_still == 2) break;
      continue;
    }
    if (n <= 0 || n % sizeof *records)
      return fprintf(stderr, "paging-dump: read gave %zd: %s\n", n, strerror(errno)), 4;
    for (size_t i = 0; i < n / sizeof *records; i++) add(&records[i], is_quiet);
  }
  if (!is_quiet) printf("E: %lu, %lu, %lu\n", sum.in, sum.out, sum.lost);
  printf(
      "T: in=%lu in_io=%lu out=%lu out_io=%lu major=%lu lost=%lu zero=%lu zswap=%lu hit=%lu "
      "nofault=%lu readahead=%lu unordered=%lu last=%lu\n",
      sum.in, sum.in_io, sum.out, sum.out_io, sum.major, sum.lost, sum.zero, sum.zswap, sum.hit,
      sum.nofault, sum.readahead, sum.unordered, sum.last);
  printf("V:");
  for (int i = 0; i < kCounters; i++) printf(" %s=%lu", kKeys[i], after.value[i] - before.value[i]);
  putchar('\n');
}
