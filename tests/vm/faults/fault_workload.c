// SPDX-License-Identifier: MIT
/* Causes page faults; see usage(). Commands that stay print "ready" when they have done their
 * work. */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault_stages.h"

static int usage(void) {
  fputs(
      "usage: fault_workload stages        run known numbers of faults; see fault_stages.h\n"
      "       fault_workload hold PAGES    touch PAGES pages and wait\n"
      "       fault_workload name NAME     change the name to NAME, touch a page and wait\n"
      "       fault_workload exec-thread FILE ARG...   execute FILE in a second thread\n"
      "       fault_workload crowd N       start N children that touch a page and wait\n"
      "       fault_workload churn N       start N children in turn that touch a page and end\n"
      "       fault_workload waiters N     keep N threads in a page fault until SIGUSR1\n"
      "       fault_workload zone MINUTES  set the kernel's time zone, west of Greenwich\n",
      stderr);
  return 2;
}

static int stay(void) {
  touch(fresh_pages(1), 1);  /* the last fault: after it nothing of this process changes */
  static const char ready[] = "ready\n";
  if (write(1, ready, sizeof ready - 1) < 0) return 2;
  for (;;) pause();
}

static int hold(size_t pages) {
  touch(fresh_pages(pages), pages);
  return stay();
}

static int crowd(int n) {
  int pipes[2];
  char byte = 0;
  if (pipe(pipes) != 0) return perror("pipe"), 2;
  for (int i = 0; i < n; i++) {
    pid_t child = fork();
    if (child < 0) return perror("fork"), 2;
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      touch(fresh_pages(1), 1);
      if (write(pipes[1], &byte, 1) != 1) _exit(2);
      for (;;) pause();
    }
  }
  for (int i = 0; i < n; i++)
    if (read(pipes[0], &byte, 1) != 1) return 2;
  return stay();
}

static int churn(int n) {
  char *page = fresh_pages(1);
  for (int i = 0; i < n; i++) {
    pid_t child = fork();
    if (child < 0) return perror("fork"), 2;
    if (child == 0) {
      *(volatile char *)page = 1;
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
  return 0;
}

static void *run(void *arguments) {
  execv(((char **)arguments)[0], arguments);
  perror("execv");
  exit(2);
}

static int exec_in_thread(char **arguments) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, arguments);
  for (;;) pause();
}

static void *sleep_in_fault(void *page) {
  *(volatile char *)page = 1;
  return NULL;
}

/* A thread that waits for a userfaultfd is inside handle_mm_fault(). */
static int waiters(int n) {
  size_t size = sysconf(_SC_PAGESIZE);
  char *pages = fresh_pages(n);
  sigset_t wake;
  sigemptyset(&wake);
  sigaddset(&wake, SIGUSR1);
  sigprocmask(SIG_BLOCK, &wake, NULL);
  int uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
  struct uffdio_api api = {.api = UFFD_API};
  struct uffdio_register area = {.range = {.start = (uintptr_t)pages, .len = n * size},
                                 .mode = UFFDIO_REGISTER_MODE_MISSING};
  if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api) != 0 || ioctl(uffd, UFFDIO_REGISTER, &area) != 0)
    return perror("userfaultfd"), 2;
  pthread_t *thread = calloc(n, sizeof *thread);
  for (int i = 0; i < n; i++) pthread_create(&thread[i], NULL, sleep_in_fault, pages + i * size);
  struct uffd_msg message;
  for (int i = 0; i < n; i++)
    if (read(uffd, &message, sizeof message) != sizeof message) return 2;
  puts("ready");
  fflush(stdout);
  int number;
  sigwait(&wake, &number);
  struct uffdio_zeropage zero = {.range = area.range};
  if (ioctl(uffd, UFFDIO_ZEROPAGE, &zero) != 0) return perror("UFFDIO_ZEROPAGE"), 2;
  for (int i = 0; i < n; i++) pthread_join(thread[i], NULL);
  return 0;
}

/* The first call after boot also changes the clock, unless the zone is Greenwich. */
static int set_zone(int minutes) {
  struct timezone zone = {0};
  if (syscall(SYS_settimeofday, NULL, &zone) != 0) return perror("settimeofday"), 2;
  zone.tz_minuteswest = minutes;
  return syscall(SYS_settimeofday, NULL, &zone) != 0 ? 2 : 0;
}

int main(int argc, char *argv[]) {
  const char *what = argc > 1 ? argv[1] : "";
  if (argc == 2 && !strcmp(what, "stages")) return run_stages();
  if (argc >= 3 && !strcmp(what, "exec-thread")) return exec_in_thread(argv + 2);
  if (argc != 3) return usage();
  if (!strcmp(what, "name")) return prctl(PR_SET_NAME, argv[2]), stay();
  int n = atoi(argv[2]);
  if (!strcmp(what, "hold")) return hold(n);
  if (!strcmp(what, "crowd")) return crowd(n);
  if (!strcmp(what, "churn")) return churn(n);
  if (!strcmp(what, "waiters")) return waiters(n);
  if (!strcmp(what, "zone")) return set_zone(n);
  return usage();
}
