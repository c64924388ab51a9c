// SPDX-License-Identifier: MIT
// Measures the cost of reading every page of every process, in ns of the guest's clock. With
// -icount these are instructions.
//
//   walk_cost read FILE BLOCK    reads FILE to its end, BLOCK bytes at a time
//   walk_cost raw                the peer: reads maps, pagemap, and the whole of /proc/kpagecount
//                                and /proc/kpageflags; writes the same M: text with the same
//                                emitter
//   walk_cost run COMMAND...     runs the command and discards its output
//   walk_cost sparse             maps memory to be read: 1 GiB with its last 2 MiB touched, and
//                                64 MiB of huge pages if enabled; prints "ready" and waits
//
// Prints NANOSECONDS and the result: bytes, or pages, or the command's status.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "formats/emit/emit.h"

namespace {

constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;
constexpr std::uint64_t kFrame = (std::uint64_t{1} << 55) - 1;
constexpr std::size_t kChunk = 512;

std::uint64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

int throw_away(void*, const char*, std::size_t) {
  return 0;
}

std::vector<std::uint64_t> whole_array(const char* name) {
  std::vector<std::uint64_t> words;
  const int fd = ::open(name, O_RDONLY);
  std::size_t used = 0;
  for (;;) {
    words.resize(used + (1 << 17));
    const ssize_t got = ::read(fd, &words[used], (1 << 17) * sizeof(std::uint64_t));
    if (got <= 0) break;
    used += static_cast<std::size_t>(got) / sizeof(std::uint64_t);
  }
  words.resize(used);
  ::close(fd);
  return words;
}

class RawWalk {
 public:
  std::uint64_t run() {
    DIR* const proc = ::opendir("/proc");
    while (const dirent* entry = ::readdir(proc))
      if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
        process(std::string("/proc/") + entry->d_name);
    ::closedir(proc);
    return pages_;
  }

 private:
  void process(const std::string& folder) {
    const int pagemap = ::open((folder + "/pagemap").c_str(), O_RDONLY);
    std::ifstream maps(folder + "/maps");
    for (std::string line; std::getline(maps, line);) {
      unsigned long long start = 0;
      unsigned long long end = 0;
      if (std::sscanf(line.c_str(), "%llx-%llx", &start, &end) == 2)
        area(pagemap, start / page_, end / page_);
    }
    if (pagemap >= 0) ::close(pagemap);
  }

  void area(int pagemap, std::uint64_t page, std::uint64_t end) {
    pm_emit_pages_begin(&out_);
    while (page < end) {
      const std::size_t wanted = std::min<std::uint64_t>(kChunk, end - page);
      const ssize_t got = ::pread(pagemap, entries_, wanted * 8, static_cast<off_t>(page * 8));
      if (got <= 0) break;
      chunk(page, static_cast<std::size_t>(got) / 8);
      page += wanted;
    }
    pm_emit_pages_end(&out_);
  }

  void chunk(std::uint64_t page, std::size_t n) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t pfn = entries_[i] & kFrame;
      if ((entries_[i] & kPresent) == 0 || pfn >= counts_.size()) continue;
      records_[found++] = {(page + i) * page_, pfn * page_, counts_[pfn], flags_[pfn] & 0x07ffffff};
    }
    pm_emit_pages(&out_, records_, found);
    pages_ += found;
  }

  const std::uint64_t page_ = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::vector<std::uint64_t> counts_ = whole_array("/proc/kpagecount");
  const std::vector<std::uint64_t> flags_ = whole_array("/proc/kpageflags");
  std::uint64_t pages_ = 0;
  std::uint64_t entries_[kChunk];
  pm_page records_[kChunk];
  char text_[65536];
  pm_out out_{text_, sizeof text_, 0, throw_away, nullptr, 0};
};

std::uint64_t read_to_end(const char* name, std::size_t block) {
  std::vector<char> buffer(block);
  const int fd = ::open(name, O_RDONLY);
  std::uint64_t bytes = 0;
  for (ssize_t got = 0; (got = ::read(fd, buffer.data(), block)) > 0;)
    bytes += static_cast<std::uint64_t>(got);
  ::close(fd);
  return bytes;
}

std::uint64_t run_command(char* argv[]) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::execvp(argv[0], argv);
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return static_cast<std::uint64_t>(WEXITSTATUS(status));
}

char* map(std::size_t bytes) {
  void* start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) std::exit(1);
  return static_cast<char*>(start);
}

void be_sparse() {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  char* const empty = map(1024 * kMiB);
  ::madvise(empty, 1024 * kMiB, MADV_NOHUGEPAGE);
  std::memset(empty + 1022 * kMiB, 1, 2 * kMiB);
  char* const huge = map(64 * kMiB);
  ::madvise(huge, 64 * kMiB, MADV_HUGEPAGE);
  std::memset(huge, 1, 64 * kMiB);
  std::puts("ready");
  std::fflush(stdout);
  ::pause();
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const std::uint64_t begin = now();
  std::uint64_t got = 0;
  if (mode == "read" && argc == 4)
    got = read_to_end(argv[2], std::strtoull(argv[3], nullptr, 10));
  else if (mode == "raw" && argc == 2)
    got = RawWalk().run();
  else if (mode == "run" && argc > 2)
    got = run_command(argv + 2);
  else if (mode == "sparse" && argc == 2)
    be_sparse();
  else
    return std::fputs("usage: walk_cost read FILE BLOCK | raw | run COMMAND... | sparse\n", stderr),
           2;
  std::printf("%llu %llu\n", static_cast<unsigned long long>(now() - begin),
              static_cast<unsigned long long>(got));
}
