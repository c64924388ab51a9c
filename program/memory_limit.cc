// SPDX-License-Identifier: MIT
#include "program/memory_limit.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <limits>
#include <new>

namespace physmem {
namespace {

/// Bytes of address space: `ulimit -s` on most machines.
constexpr std::uint64_t kThreadStack = std::uint64_t{8} << 20;
/// Bytes added to the limit when it is reached, for the error message.
constexpr std::uint64_t kWords = std::uint64_t{1} << 20;
constexpr int kExitIo = 4;

/// A sanitizer maps terabytes, which the kernel counts.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
constexpr bool kIsSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif

/// Bytes. Threads that read files may use `for_all`. The last sixteenth is reserved for the main
/// thread, which takes their results and must not fail because of a file that one of them reads.
struct Limits {
  std::uint64_t shown = RLIM_INFINITY;  ///< the limit in messages
  const char* source = "--max-memory";
  std::uint64_t for_all = RLIM_INFINITY;
  std::uint64_t for_main = RLIM_INFINITY;
};
Limits limits;  ///< set once, before threads start

/// What the terminate handler prints. It must not allocate.
char last_words[256];

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Removes a decimal number from the front of `text`. Nothing if there are no digits or too many.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t number = 0;
  std::size_t n = 0;
  for (; n < text.size() && text[n] >= '0' && text[n] <= '9'; ++n) {
    const auto digit = static_cast<std::uint64_t>(text[n] - '0');
    if (number > (kMax - digit) / 10) return {};
    number = number * 10 + digit;
  }
  text.remove_prefix(n);
  return n == 0 ? std::nullopt : std::optional(number);
}

/// log2 of the unit `text`: 0, 10, 20, 30 or 40.
std::optional<unsigned> unit_shift(std::string_view text) {
  constexpr std::string_view kUnits = "BKMGT";
  if (text.empty() || text == "B") return 0;
  const std::size_t at = kUnits.find(static_cast<char>(text[0] & ~0x20));
  const std::string_view rest = text.substr(1);
  if (at == std::string_view::npos || at == 0 || !(rest.empty() || rest == "B" || rest == "iB"))
    return {};
  return static_cast<unsigned>(at) * 10;
}

/// The lowest limit of `group` and all groups above it, up to `top`, read from `file` in each.
/// "max" means no limit.
std::uint64_t min_limit(const std::string& top, std::string group, const char* file) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  while (true) {
    const std::string text = text_of(top + group + "/" + file);
    std::string_view left = text;
    if (const auto limit = take_number(left)) least = std::min(least, *limit);
    if (group.empty()) return least;
    group.erase(group.rfind('/'));
  }
}

[[noreturn]] void end_without_memory() {
  if (const std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
      const ssize_t ignored = ::write(STDERR_FILENO, last_words, std::strlen(last_words));
      (void)ignored;
      ::_exit(kExitIo);
    } catch (...) {
      // A bug: a core dump is more useful than a message.
    }
  }
  std::abort();
}

bool is_main_thread() {
  return ::syscall(SYS_gettid) == ::getpid();
}

/// True if the limit was raised.
bool set_data_limit(std::uint64_t bytes) {
  rlimit limit{};
  if (kIsSanitized || ::getrlimit(RLIMIT_DATA, &limit) != 0) return false;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
  return ::setrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur > before;
}

/// The new-handler: operator new retries after it unless it throws.
void on_no_memory() {
  if (!is_main_thread() || !set_data_limit(limits.for_main)) throw std::bad_alloc();
}

}  // namespace

std::optional<std::uint64_t> byte_size_of(std::string_view text) {
  const auto number = take_number(text);
  const auto shift = unit_shift(text);
  if (!number || !shift || *number > std::numeric_limits<std::uint64_t>::max() >> *shift) return {};
  return *number << *shift;
}

std::optional<std::uint64_t> memory_size_of(std::string_view text) {
  const auto bytes = byte_size_of(text);
  return bytes.value_or(0) < kMinMemory ? std::nullopt : bytes;
}

std::optional<std::uint64_t> ram_of(std::string_view meminfo) {
  constexpr std::string_view kKey = "MemTotal:";
  const std::size_t at = meminfo.find(kKey);
  if (at == std::string_view::npos) return {};
  meminfo.remove_prefix(at + kKey.size());
  meminfo.remove_prefix(std::min(meminfo.find_first_not_of(' '), meminfo.size()));
  const auto kib = take_number(meminfo);
  return kib && *kib < std::numeric_limits<std::uint64_t>::max() >> 10 ? std::optional(*kib << 10)
                                                                       : std::nullopt;
}

std::string memory_group_of(std::string_view cgroup) {
  std::string version2;
  while (!cgroup.empty()) {
    const std::string_view line = cgroup.substr(0, cgroup.find('\n'));
    cgroup.remove_prefix(std::min(line.size() + 1, cgroup.size()));
    const std::size_t begin = line.find(':');
    const std::size_t end = begin == std::string_view::npos ? begin : line.find(':', begin + 1);
    if (end == std::string_view::npos) continue;
    const std::string controllers =
        ',' + std::string(line.substr(begin + 1, end - begin - 1)) + ',';
    std::string path(line.substr(end + 1));
    if (path == "/" || !path.starts_with('/')) path.clear();
    if (controllers.find(",memory,") != std::string::npos) return "/memory" + path;
    if (controllers == ",,") version2 = path;
  }
  return version2;
}

std::optional<std::uint64_t> memory_share(const std::string& root) {
  const std::string top = root + "/sys/fs/cgroup";
  const std::string group = memory_group_of(text_of(root + "/proc/self/cgroup"));
  const std::uint64_t ram = ram_of(text_of(root + "/proc/meminfo")).value_or(RLIM_INFINITY);
  const std::uint64_t least = std::min(
      {ram, min_limit(top, group, "memory.max"), min_limit(top, group, "memory.limit_in_bytes")});
  if (least == std::numeric_limits<std::uint64_t>::max()) return {};
  return std::max(least / 2, kMinMemory);
}

void limit_memory(const char* program, std::optional<std::uint64_t> wanted, std::size_t threads) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const std::uint64_t bytes = wanted ? *wanted : memory_share().value_or(limit.rlim_cur);
  const std::uint64_t stacks = threads * kThreadStack;
  limits.shown = std::min<std::uint64_t>(bytes, limit.rlim_cur);
  if (limit.rlim_cur < bytes) limits.source = "ulimit -d";
  // Covers all mappings, while RLIMIT_DATA covers those that can be written.
  if (rlimit all{}; ::getrlimit(RLIMIT_AS, &all) == 0 && all.rlim_cur < limits.shown) {
    limits.shown = all.rlim_cur;
    limits.source = "ulimit -v";
  }
  limits.for_main = std::min<std::uint64_t>(
      limit.rlim_cur, bytes > RLIM_INFINITY - stacks ? bytes : bytes + stacks);
  limits.for_all = limits.for_main - (limits.shown == RLIM_INFINITY ? 0 : limits.shown / 16);
  const std::string words =
      memory_refusal(std::string(program) + ": it", "allow more, or ask for less at once") + "\n";
  std::strncpy(last_words, words.c_str(), sizeof last_words - 1);
  std::set_terminate(end_without_memory);
  std::set_new_handler(on_no_memory);
  set_data_limit(limits.for_all);
}

std::uint64_t memory_limit() {
  return limits.shown;
}

std::string memory_refusal(const std::string& subject, const std::string& advice) {
  if (limits.shown != RLIM_INFINITY)
    set_data_limit(is_main_thread() ? limits.for_main + kWords : limits.for_all);
  if (limits.shown == RLIM_INFINITY) return subject + " needs more memory than there is: " + advice;
  return subject + " needs more than " + std::to_string(limits.shown >> 20) + " MiB of memory (" +
         limits.source + "): " + advice;
}

}  // namespace physmem
