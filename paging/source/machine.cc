// SPDX-License-Identifier: MIT
#include "paging/source/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <optional>

#include "paging/source/proc_text.h"

namespace physmem {
namespace {

std::uint64_t number_of(std::string_view word, int base = 10) {
  std::uint64_t value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value, base);
  return value;
}

/// Searched by name, because its line differs between kernels.
std::uint64_t memory_bytes(const std::string& root) {
  const std::optional<std::string> text = read_text(root + "/proc/meminfo");
  std::string_view rest = text ? std::string_view(*text) : "";
  std::string_view line;
  while (take_line(rest, line))
    if (take_word(line) == "MemTotal:") return number_of(take_word(line)) * 1024;
  return 0;
}

/// The highest end of a zone with pages. Empty zones have start_pfn 0.
std::uint64_t frames_end_of_zones(const std::string& root) {
  const std::optional<std::string> text = read_text(root + "/proc/zoneinfo");
  std::string_view rest = text ? std::string_view(*text) : "";
  std::string_view line;
  std::uint64_t end = 0;
  std::uint64_t spanned = 0;
  while (take_line(rest, line)) {
    const std::string_view key = take_word(line);
    if (key == "spanned") spanned = number_of(take_word(line));
    if (key == "start_pfn:" && spanned != 0)
      end = std::max(end, number_of(take_word(line)) + spanned);
  }
  return end;
}

/// `00100000-1ffdffff : System RAM`; zeros without root.
std::uint64_t frames_end_of_iomem(const std::string& root, std::uint64_t page_size) {
  const std::optional<std::string> text = read_text(root + "/proc/iomem");
  std::string_view rest = text ? std::string_view(*text) : "";
  std::string_view line;
  std::uint64_t end = 0;
  while (take_line(rest, line)) {
    if (line.find(" : System RAM") == std::string_view::npos) continue;
    while (line.starts_with(' ')) line.remove_prefix(1);  // of a device, such as virtio-mem
    const std::string_view range = take_word(line);
    const std::uint64_t last =
        number_of(range.substr(std::min(range.find('-') + 1, range.size())), 16);
    if (last != 0) end = std::max(end, (last + 1) / page_size);
  }
  return end;
}

std::int64_t ns_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

std::int64_t wall_offset_ns(const std::function<std::int64_t()>& monotonic,
                            const std::function<std::int64_t()>& time_of_day) {
  constexpr int kTries = 5;
  std::int64_t best = 0;
  std::int64_t least = INT64_MAX;
  for (int i = 0; i < kTries; ++i) {
    const std::int64_t before = monotonic();
    const std::int64_t wall = time_of_day();
    const std::int64_t took = monotonic() - before;
    if (took >= least) continue;
    least = took;
    best = wall - before - took / 2;
  }
  return best;
}

TraceHeader machine_facts(const std::string& root) {
  TraceHeader header;
  utsname names{};
  if (uname(&names) == 0) header.arch = names.machine;
  std::string release = read_text(root + "/proc/sys/kernel/osrelease").value_or(names.release);
  release.erase(std::find(release.begin(), release.end(), '\n'), release.end());
  header.kernel = release;
  header.page_size = static_cast<std::uint32_t>(sysconf(_SC_PAGESIZE));
  header.memory_bytes = memory_bytes(root);
  header.frames_end = frames_end_of_zones(root);
  if (header.frames_end == 0) header.frames_end = frames_end_of_iomem(root, header.page_size);
  header.wall_offset_ns =
      wall_offset_ns([] { return ns_of(CLOCK_MONOTONIC); }, [] { return ns_of(CLOCK_REALTIME); });
  return header;
}

}  // namespace physmem
