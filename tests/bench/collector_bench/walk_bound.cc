// SPDX-License-Identifier: MIT
// The least a /proc collector can cost: reads maps, pagemap, kpagecount and kpageflags of every process, in
// the pieces the collector uses (one page table; one run of frames not seen yet), and does nothing with them.
// Prints pages and frames.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t kPageSize = 4096;
constexpr std::uint64_t kBlock = 512;  // entries of one page table
constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;
constexpr std::uint64_t kFrameMask = (std::uint64_t{1} << 55) - 1;
constexpr std::uint64_t kMaxFrames = std::uint64_t{1} << 32;
// An area larger than this is left out: the collector reads nearly empty ones in another way.
constexpr std::uint64_t kMaxAreaPages = std::uint64_t{1} << 20;

class Walk {
 public:
  Walk()
      : count_(::open("/proc/kpagecount", O_RDONLY)),
        flags_(::open("/proc/kpageflags", O_RDONLY)),
        seen_(static_cast<bool*>(::mmap(nullptr, kMaxFrames, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}
  bool is_ready() const { return count_ >= 0 && flags_ >= 0 && seen_ != MAP_FAILED; }

  void process(const char* pid) {
    const std::string dir = std::string("/proc/") + pid;
    const int maps = ::open((dir + "/maps").c_str(), O_RDONLY);
    const int pagemap = ::open((dir + "/pagemap").c_str(), O_RDONLY);
    if (maps >= 0 && pagemap >= 0) areas(maps, pagemap);
    ::close(maps);
    ::close(pagemap);
  }
  std::uint64_t pages = 0;
  std::uint64_t frames = 0;

 private:
  void areas(int maps, int pagemap) {
    std::size_t used = 0;
    for (ssize_t got = 1; got > 0; used += static_cast<std::size_t>(got)) {
      if (text_.size() - used < 65536) text_.resize(text_.size() * 2);
      got = ::read(maps, text_.data() + used, text_.size() - used - 1);
      if (got < 0) break;
    }
    text_[used] = '\0';
    std::uint64_t done = 0;  // up to here the page table at hand was read
    for (const char* line = text_.data(); *line != '\0';) {
      char* rest = nullptr;
      const std::uint64_t start = std::strtoull(line, &rest, 16) / kPageSize;
      const std::uint64_t end = std::strtoull(rest + 1, &rest, 16) / kPageSize;
      while (*rest != '\n' && *rest != '\0') ++rest;
      line = *rest == '\n' ? rest + 1 : rest;
      if (start >> 47 != 0 || end - start > kMaxAreaPages) continue;
      for (std::uint64_t at = std::max(start, done); at < end; at = done) {
        done = (at / kBlock + 1) * kBlock;
        block(pagemap, at, done - at);
      }
    }
  }

  void block(int pagemap, std::uint64_t first, std::uint64_t n) {
    const ssize_t got = ::pread(pagemap, entries_.data(), n * 8, static_cast<off_t>(first * 8));
    n = got < 0 ? 0 : static_cast<std::uint64_t>(got) / 8;
    for (std::uint64_t i = 0; i < n;) {
      if ((entries_[i] & kPresent) == 0) {
        ++i;
        continue;
      }
      const std::uint64_t pfn = entries_[i] & kFrameMask;
      std::uint64_t run = 1;
      while (i + run < n && (entries_[i + run] & (kPresent | kFrameMask)) == (kPresent | (pfn + run))) ++run;
      pages += run;
      i += run;
      look_up(pfn, run);
    }
  }

  void look_up(std::uint64_t pfn, std::uint64_t run) {
    for (std::uint64_t i = 0; i < run && pfn + run < kMaxFrames;) {
      std::uint64_t n = 0;
      while (i + n < run && !seen_[pfn + i + n]) ++n;
      if (n > 0) {
        const auto at = static_cast<off_t>((pfn + i) * 8);
        frames += n;
        (void)!::pread(count_, words_.data(), n * 8, at);
        (void)!::pread(flags_, words_.data(), n * 8, at);
        std::fill(seen_ + pfn + i, seen_ + pfn + i + n, true);
      }
      i += n > 0 ? n : 1;
    }
  }

  int count_;
  int flags_;
  bool* seen_;
  std::vector<char> text_ = std::vector<char>(1 << 20);
  std::array<std::uint64_t, kBlock> entries_{};
  std::array<std::uint64_t, kBlock> words_{};
};

}  // namespace

int main() {
  Walk walk;
  DIR* proc = ::opendir("/proc");
  if (!walk.is_ready() || proc == nullptr) {
    std::fputs("walk_bound: cannot open /proc/kpagecount and /proc/kpageflags; run it as root\n", stderr);
    return 4;
  }
  while (const dirent* entry = ::readdir(proc)) {
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') walk.process(entry->d_name);
  }
  ::closedir(proc);
  std::printf("%llu %llu\n", static_cast<unsigned long long>(walk.pages),
              static_cast<unsigned long long>(walk.frames));
  return 0;
}
