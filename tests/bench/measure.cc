// SPDX-License-Identifier: MIT
// measure N COMMAND...: runs it N times, output thrown away, and prints the median CPU seconds (user +
// system) and the largest resident size in KiB.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
}

[[noreturn]] void become(char* command[]) {
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, STDOUT_FILENO);
  execvp(command[0], command);
  std::perror(command[0]);
  _exit(127);
}

}  // namespace

int main(int argc, char* argv[]) {
  const int runs = argc > 2 ? std::atoi(argv[1]) : 0;
  if (runs < 1) {
    std::fputs("usage: measure N COMMAND [ARGUMENT]...\n", stderr);
    return 2;
  }
  std::vector<double> times;
  long largest = 0;
  for (int i = 0; i < runs; ++i) {
    const pid_t child = fork();
    if (child == 0) become(argv + 2);
    int status = 0;
    rusage usage{};
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      std::fprintf(stderr, "measure: %s failed\n", argv[2]);
      return 1;
    }
    times.push_back(seconds(usage.ru_utime) + seconds(usage.ru_stime));
    largest = std::max(largest, usage.ru_maxrss);
  }
  std::sort(times.begin(), times.end());
  std::printf("%.3f %ld\n", times[times.size() / 2], largest);
}
