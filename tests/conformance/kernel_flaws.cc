// SPDX-License-Identifier: MIT
#include "tests/conformance/kernel_flaws.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace physmem::conformance {
namespace {

constexpr std::uint64_t kKsm = 1u << 21;
constexpr std::uint64_t kIdle = 1u << 25;
constexpr std::uint64_t kFrameMask = (std::uint64_t{1} << 55) - 1;

std::uint64_t entry_of(const char* path, std::uint64_t index) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  std::uint64_t entry = 0;
  if (::pread(fd, &entry, sizeof entry, static_cast<off_t>(index * sizeof entry)) !=
      ssize_t{sizeof entry})
    entry = 0;
  ::close(fd);
  return entry;
}

// The KSM flag of a new private page, which cannot have been merged.
std::uint64_t flag_of_unmerged_page() {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  void* const map =
      ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return 0;
  *static_cast<volatile char*>(map) = 1;
  const std::uint64_t entry =
      entry_of("/proc/self/pagemap", reinterpret_cast<std::uintptr_t>(map) / page);
  const std::uint64_t flags = entry_of("/proc/kpageflags", entry & kFrameMask);
  ::munmap(map, page);
  return flags & kKsm;
}

bool is_monitor(const std::filesystem::path& process) {
  std::ifstream file(process / "comm");
  std::string name;
  return std::getline(file, name) && name.starts_with("kdamond");
}

std::uint64_t flag_of_monitor() {
  const std::filesystem::directory_iterator processes("/proc");
  return std::any_of(begin(processes), end(processes), is_monitor) ? kIdle : 0;
}

}  // namespace

std::uint64_t misleading_flags() {
  static const std::uint64_t kFlags = flag_of_unmerged_page() | flag_of_monitor();
  return kFlags;
}

std::int64_t huge_page_without_pss() {
  if (sizeof(long) > 4) return 0;
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
  std::int64_t bytes = 0;
  file >> bytes;
  return bytes / 1024;
}

}  // namespace physmem::conformance
