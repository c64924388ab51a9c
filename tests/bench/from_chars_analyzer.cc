// SPDX-License-Identifier: MIT
// A fast parser with the standard library: a mapped file, memchr for the end of a line,
// std::from_chars for each number, and one bit per frame.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

struct Counts {
  std::uint64_t entries = 0;
  std::uint64_t single = 0;
  std::uint64_t distinct = 0;
  std::vector<std::uint64_t> frames = {};

  void add(std::uint64_t frame, std::uint64_t count) {
    ++entries;
    single += count == 1 ? 1 : 0;
    if (frame / 64 >= frames.size()) frames.resize(frame / 64 * 2 + 64);
    const std::uint64_t bit = std::uint64_t{1} << (frame % 64);
    distinct += (frames[frame / 64] & bit) == 0 ? 1 : 0;
    frames[frame / 64] |= bit;
  }
};

/// Takes a number and the sign after it, and moves past both. False if they are missing.
bool take(const char*& at, const char* end, int base, char sign, std::uint64_t& number) {
  while (at != end && *at == ' ') ++at;
  const auto read = std::from_chars(at, end, number, base);
  at = read.ptr;
  while (at != end && *at == ' ') ++at;
  return read.ec == std::errc() && at != end && *at++ == sign;
}

/// Reads a list of " VA=VALUE, COUNT, FLAGS |".
void count_line(const char* at, const char* end, Counts& counts) {
  std::uint64_t va = 0, value = 0, count = 0, flags = 0;
  while (take(at, end, 16, '=', va) && take(at, end, 16, ',', value) &&
         take(at, end, 10, ',', count) && take(at, end, 16, '|', flags))
    counts.add(value >> 12, count);
}

}  // namespace

int main(int argc, char* argv[]) {
  const int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
  struct stat facts {};
  if (file < 0 || fstat(file, &facts) != 0) {
    std::fputs(
        "usage: from-chars-analyzer SNAPSHOT\nCounts entries, those used once, and distinct "
        "frames.\n",
        stderr);
    return 2;
  }
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* const text = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (text == MAP_FAILED) {
    std::perror("from-chars-analyzer");
    return 4;
  }
  Counts counts;
  const char* at = static_cast<const char*>(text);
  const char* const end = at + size;
  while (at != end) {
    const auto* newline =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    const char* const line_end = newline != nullptr ? newline : end;
    if (line_end - at > 2 && at[0] == 'M' && at[1] == ':') count_line(at + 2, line_end, counts);
    at = newline != nullptr ? newline + 1 : end;
  }
  std::printf("%llu %llu %llu\n", static_cast<unsigned long long>(counts.entries),
              static_cast<unsigned long long>(counts.single),
              static_cast<unsigned long long>(counts.distinct));
}
