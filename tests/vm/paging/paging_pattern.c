// SPDX-License-Identifier: MIT
/*
 * Fills pages, swaps them out, reads them back in a known order, and prints what /proc/self/pagemap
 * shows:
 *
 *   paging-pattern PAGES up|down|mixed [--group DIR] [--fork] [--zero] [--kept] [--huge]
 *
 * --group: its cgroup, whose memory is reclaimed until the swap cache is empty. --fork: a
 * child also has the pages, and stays until the end. --zero: zero-filled pages. --kept: pages stay
 * in the swap cache. --huge: PAGES, a multiple of 512, are in huge pages when they are swapped out.
 *
 *   pid PID [CHILD]
 *   out INDEX ADDRESS PFN TYPE SLOT     the frame before, the slot after
 *   in INDEX ADDRESS PFN                in the order of reading, the frame after
 *
 * Exit status: 0 success, 3 a wrong result, 4 a system call failed.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

enum { kMaxPages = 100000 };

static uint64_t frames[kMaxPages], slots[kMaxPages], back[kMaxPages];
static size_t page_size, pages;
static uint64_t *memory;
static const char *group;
static int is_zero;

static void give_up(const char *what) {
  perror(what);
  exit(4);
}

static uint64_t *page(size_t i) { return memory + i * (page_size / sizeof *memory); }
static uint64_t content(size_t i, size_t word) {
  return is_zero ? 0 : (i + 1) * 0x9E3779B97F4A7C15ull + word;
}

static void look(uint64_t *entries) {
  int file = open("/proc/self/pagemap", O_RDONLY);
  ssize_t size = (ssize_t)(pages * sizeof *entries);
  if (file < 0 ||
      pread(file, entries, size, (off_t)((uintptr_t)memory / page_size * sizeof *entries)) != size)
    give_up("pagemap");
  close(file);
}

static void fill(void) {
  for (size_t i = 0; i < pages; i++)
    for (size_t word = 0; word < page_size / sizeof *memory; word++)
      page(i)[word] = content(i, word);
}

/* One access to the page, which causes one fault; then the whole page is compared. */
static void read_back(size_t i) {
  if (*(volatile uint64_t *)page(i) != content(i, 0)) exit(3);
  for (size_t word = 0; word < page_size / sizeof *memory; word++)
    if (page(i)[word] != content(i, word)) {
      fprintf(stderr, "page %zu, word %zu: found %llx\n", i, word,
              (unsigned long long)page(i)[word]);
      exit(3);
    }
}

static size_t order(const char *how, size_t i) {
  if (!strcmp(how, "up")) return i;
  if (!strcmp(how, "down")) return pages - 1 - i;
  return i * 7 % pages; /* mixed: every page once, if 7 does not divide their number */
}

static void write_to(const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", group, name);
  int file = open(path, O_WRONLY);
  if (file < 0 || write(file, text, strlen(text)) < 0) give_up(path);
  close(file);
}

enum { kOfHuge = 512 };

/* Whether all pages are in huge pages: the frames of each are consecutive and begin at a multiple
 * of its size. */
static int are_huge(void) {
  const uint64_t frame = 0x7FFFFFFFFFFFFFull;
  for (size_t i = 0; i < pages; i++)
    if ((frames[i] & frame) != (frames[i - i % kOfHuge] & frame) + i % kOfHuge ||
        (frames[i - i % kOfHuge] & frame) % kOfHuge != 0)
      return 0;
  return pages % kOfHuge == 0;
}

static uint64_t *map_pages(int is_huge) {
  const size_t align = is_huge ? kOfHuge * page_size : page_size, size = pages * page_size;
  char *begin =
      mmap(NULL, size + align, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) give_up("mmap");
  begin += -(uintptr_t)begin & (align - 1);
  madvise(begin, size, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  return (uint64_t *)begin;
}

/* CPUs keep changes of counters to themselves, a few pages each; reading stat_refresh adds them. */
static void refresh_counters(void) {
  char none;
  int file = open("/proc/sys/vm/stat_refresh", O_RDONLY);
  if (file < 0 || read(file, &none, 1) < 0) give_up("/proc/sys/vm/stat_refresh");
  close(file);
}

static long swap_cached(void) {
  char line[128];
  long kb = -1;
  refresh_counters();
  FILE *file = fopen("/proc/meminfo", "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "SwapCached: %ld", &kb) == 1) break;
  if (file) fclose(file);
  return kb;
}

/*
 * A page that has been written waits on a list of the CPU that got the interrupt, with up to
 * 14 others, which hold references to them (folio_rotate_reclaimable()). Compaction of all memory
 * begins with emptying these lists of all CPUs (lru_add_drain_all()).
 */
static void drain_lists(void) {
  int file = open("/proc/sys/vm/compact_memory", O_WRONLY);
  if (file < 0 || write(file, "1", 1) != 1) give_up("/proc/sys/vm/compact_memory");
  close(file);
}

/* Reclaims memory until the swap cache has no more pages. */
static void empty_swap_cache(void) {
  enum { kMaxTries = 3000 }; /* a minute; only a broken system reaches it */
  long left = 1;              /* kB */
  for (int i = 1; i <= kMaxTries && left > 0; i++) {
    /* Not before all pages are out: compaction moves them to other frames. */
    if (i % 25 == 0) drain_lists();
    write_to("memory.high", "0");
    write_to("memory.high", "max");
    usleep(20000);
    left = swap_cached();
  }
  if (left == 0) return;
  fprintf(stderr,
          "SwapCached of /proc/meminfo: found %ld kB after %d tries to reclaim %s, expected 0\n",
          left, (int)kMaxTries, group);
  exit(3);
}

static void send_out(int is_kept) {
  if (madvise(memory, pages * page_size, MADV_PAGEOUT) != 0) give_up("MADV_PAGEOUT");
  if (group && !is_kept) empty_swap_cache();
}

static int have_child(void) {
  int child = fork();
  if (child < 0) give_up("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  return child;
}

static void print_result(const char *how, int child) {
  printf(child ? "pid %d %d\n" : "pid %d\n", (int)getpid(), child);
  for (size_t i = 0; i < pages; i++)
    printf("out %zu %08llX %08llX %llu %08llX\n", i, (unsigned long long)(uintptr_t)page(i),
           (unsigned long long)(frames[i] & 0x7FFFFFFFFFFFFFull),
           (unsigned long long)(slots[i] & 31),
           (unsigned long long)(slots[i] >> 5 & 0x3FFFFFFFFFFFFull));
  for (size_t n = 0; n < pages; n++)
    printf("in %zu %08llX %08llX\n", order(how, n),
           (unsigned long long)(uintptr_t)page(order(how, n)),
           (unsigned long long)(back[order(how, n)] & 0x7FFFFFFFFFFFFFull));
}

int main(int argc, char *argv[]) {
  int is_forked = 0, is_kept = 0, is_huge = 0, child = 0;
  if (argc < 3) return fputs("usage: see paging_pattern.c\n", stderr), 2;
  const char *how = argv[2];
  pages = strtoul(argv[1], NULL, 10);
  page_size = sysconf(_SC_PAGESIZE);
  for (int i = 3; i < argc; i++) {
    if (!strcmp(argv[i], "--group") && i + 1 < argc) group = argv[++i];
    is_forked |= !strcmp(argv[i], "--fork");
    is_zero |= !strcmp(argv[i], "--zero");
    is_kept |= !strcmp(argv[i], "--kept");
    is_huge |= !strcmp(argv[i], "--huge");
  }
  if (pages < 1 || pages > kMaxPages || pages % 7 == 0)
    return fputs("PAGES: 1 to 100000, not a multiple of 7\n", stderr), 2;
  memset(frames, 1, sizeof frames), memset(slots, 1, sizeof slots), memset(back, 1, sizeof back);
  swap_cached();
  if (mlockall(MCL_CURRENT) != 0) give_up("mlockall");
  memory = map_pages(is_huge);
  fill();
  look(frames);
  if (is_huge && !are_huge()) return fputs("the kernel gave no huge pages\n", stderr), 3;
  if (is_forked) child = have_child();
  send_out(is_kept);
  look(slots);
  for (size_t i = 0; i < pages; i++)
    if (!(slots[i] >> 62 & 1))
      return fprintf(stderr, "page %zu of %zu is not in swap\n", i, pages), 3;
  for (size_t i = 0; i < pages; i++) read_back(order(how, i));
  look(back);
  print_result(how, child);
  if (child) kill(child, SIGKILL), waitpid(child, NULL, 0);
}
