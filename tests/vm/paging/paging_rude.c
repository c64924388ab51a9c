// SPDX-License-Identifier: MIT
/*
 * Makes system calls on /dev/physmem_paging that it must refuse, and prints a line for each: NAME
 * RESULT ERROR. No pages may be swapped at this time.
 *   paging-rude            all of them
 *   paging-rude open       a second reader: opens the device and prints the result
 *   paging-rude poll S     waits up to S seconds for a record, and prints the results of poll() and
 *                          read(). Then it keeps the device open until a signal, so that probes are
 *                          not removed while pages are swapped
 *   paging-rude storm S    opens, reads a little in odd sizes, and closes, for S seconds, in four
 *                          threads
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "formats/emit/paging_record.h"

static const char device[] = "/dev/physmem_paging";

static void print_result(const char *name, long result) {
  printf("%s %ld %s\n", name, result, result < 0 ? strerrorname_np(errno) : "0");
}

static void on_alarm(int number) { (void)number; }

static void ask(void) {
  static char buffer[100 * sizeof(struct pm_paging_record)];
  const struct itimerval soon = {.it_value = {.tv_usec = 300000}};
  const struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, NULL);
  print_result("write-only", open(device, O_WRONLY));
  int file = open(device, O_RDONLY | O_NONBLOCK);
  print_result("open", file < 0 ? -1 : 0);
  print_result("open-again", open(device, O_RDONLY));
  print_result("read-nothing", read(file, buffer, 0));
  print_result("read-short", read(file, buffer, sizeof(struct pm_paging_record) - 1));
  print_result("read-empty", read(file, buffer, sizeof buffer));
  struct pollfd poll_file = {.fd = file, .events = POLLIN};
  print_result("poll-empty", poll(&poll_file, 1, 300));
  print_result("write", write(file, buffer, 1));
  print_result("seek", lseek(file, 0, SEEK_SET));
  print_result("mmap", mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED ? -1 : 0);
  fcntl(file, F_SETFL, O_RDONLY);
  setitimer(ITIMER_REAL, &soon, NULL);
  print_result("read-until-signal", read(file, buffer, sizeof buffer));
  print_result("close", close(file));
  file = open(device, O_RDONLY);
  print_result("open-after-close", file < 0 ? -1 : 0);
}

static void wait_for_record(int seconds) {
  static char buffer[100 * sizeof(struct pm_paging_record)];
  int file = open(device, O_RDONLY | O_NONBLOCK);
  struct pollfd poll_file = {.fd = file, .events = POLLIN};
  fputs("ready\n", stderr);
  int ready = poll(&poll_file, 1, seconds * 1000);
  printf("poll %d %s\n", ready, poll_file.revents & POLLIN ? "POLLIN" : "-");
  print_result("bad-address", read(file, (void *)4096, sizeof buffer));
  long n = read(file, buffer, sizeof buffer - 1);
  printf("whole-records %s\n",
         n > 0 && n % (long)sizeof(struct pm_paging_record) == 0 ? "yes" : "no");
  fflush(stdout);
  pause();
}

static time_t end;

static void *race(void *seed) {
  static __thread char buffer[64 * sizeof(struct pm_paging_record)];
  unsigned state = (unsigned)(size_t)seed;
  long opened = 0;
  while (time(NULL) < end) {
    int file = open(device, O_RDONLY | O_NONBLOCK);
    if (file < 0) {
      usleep(rand_r(&state) % 2000);
      continue;
    }
    opened++;
    for (int i = rand_r(&state) % 50; i > 0; i--) {
      struct pollfd poll_file = {.fd = file, .events = POLLIN};
      poll(&poll_file, 1, rand_r(&state) % 30);
      if (read(file, buffer, rand_r(&state) % sizeof buffer) < 0 && errno != EAGAIN &&
          errno != EINVAL)
        perror("read"), exit(3);
    }
    close(file);
  }
  return (void *)opened;
}

static int storm(int seconds) {
  pthread_t threads[4];
  long opened = 0;
  end = time(NULL) + seconds;
  for (size_t i = 0; i < 4; i++) pthread_create(&threads[i], NULL, race, (void *)(i + 1));
  for (size_t i = 0; i < 4; i++) {
    void *mine;
    pthread_join(threads[i], &mine);
    opened += (long)mine;
  }
  printf("opened %ld\n", opened);
  return 0;
}

int main(int argc, char *argv[]) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc == 1) return ask(), 0;
  if (argc == 2 && !strcmp(argv[1], "open")) return print_result("open", open(device, O_RDONLY)), 0;
  if (argc == 3 && !strcmp(argv[1], "poll")) return wait_for_record(atoi(argv[2])), 0;
  if (argc == 3 && !strcmp(argv[1], "storm")) return storm(atoi(argv[2]));
  return fputs("usage: paging-rude [open|poll S|storm S]\n", stderr), 2;
}
