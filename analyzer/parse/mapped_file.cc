// SPDX-License-Identifier: MIT
#include "analyzer/parse/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>

namespace physmem {
namespace {

/// An entry of the handler's table. It outlives the mapping because a handler in another thread may
/// be reading it.
struct Mapping {
  std::atomic<bool> is_taken{false};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};  ///< 0: none
  std::atomic<bool> was_cut{false};
};
/// Files beyond this number are read, not mapped.
constexpr std::size_t kMaxMappedFiles = 256;
std::array<Mapping, kMaxMappedFiles> mappings{};
struct sigaction earlier_action;

std::uintptr_t page_bytes() {
  static const auto bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// The start of the page that holds the byte.
char* page_of(const char* byte) {
  return const_cast<char*>(byte) - reinterpret_cast<std::uintptr_t>(byte) % page_bytes();
}

void* reserve(void* at, std::size_t size) {
  const int fixed = at == nullptr ? 0 : MAP_FIXED;
  return mmap(at, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
}

}  // namespace

/// The region: one page before the file for the margin, the file, and a zero page after it.
MappedFile::MappedFile(int fd) : page_(page_bytes()) {
  struct stat status {};
  if (fstat(fd, &status) != 0 || status.st_size <= 0) return;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > SIZE_MAX / 2) return;
  region_size_ = static_cast<std::size_t>((size + page_ - 1) / page_ + 2) * page_;
  void* const region = reserve(nullptr, region_size_);
  if (region == MAP_FAILED) return;
  region_ = static_cast<char*>(region);
  take_sigbus();
  void* const begin = region_ + page_;
  if (!enter() || mmap(begin, size, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) return;
  madvise(begin, size, MADV_SEQUENTIAL);
  text_ = {region_ + page_, static_cast<std::size_t>(size)};
}

MappedFile::~MappedFile() {
  if (region_ == nullptr) return;
  if (mapping_ < kMaxMappedFiles) mappings[mapping_].end = 0;
  munmap(region_, region_size_);
  if (mapping_ < kMaxMappedFiles) mappings[mapping_].is_taken = false;
}

bool MappedFile::was_cut() const {
  return mapping_ < kMaxMappedFiles && mappings[mapping_].was_cut;
}

bool MappedFile::enter() {
  for (mapping_ = 0; mapping_ < kMaxMappedFiles; ++mapping_) {
    Mapping& mapping = mappings[mapping_];
    if (mapping.is_taken.exchange(true)) continue;
    mapping.was_cut = false;
    mapping.begin = reinterpret_cast<std::uintptr_t>(region_);
    mapping.end = reinterpret_cast<std::uintptr_t>(region_) + region_size_;
    return true;
  }
  return false;
}

void MappedFile::release(std::uint64_t offset) {
  const std::uint64_t end =
      offset > page_ ? (offset - page_) / page_ * page_ : 0;  // the margin stays
  if (end <= gone_) return;
  // A fault also maps neighbouring pages (fault_around_bytes, 64 KiB, or all of a large folio),
  // even before the released part.
  constexpr std::uint64_t kAround = 2 << 20;
  const std::uint64_t begin = gone_ > kAround ? gone_ - kAround : 0;
  release_pages({region_ + page_ + begin, end - begin});
  gone_ = end;
}

void prefault(std::string_view text) {
#ifndef MADV_POPULATE_READ
  // Since Linux 5.14; older kernels load the pages by faults.
  constexpr int MADV_POPULATE_READ = 22;
#endif
  char* const begin = page_of(text.data());
  madvise(begin, static_cast<std::size_t>(text.data() + text.size() - begin), MADV_POPULATE_READ);
}

void release_pages(std::string_view text) {
  if (text.empty()) return;
  char* const begin = page_of(text.data() + page_bytes() - 1);
  char* const end = page_of(text.data() + text.size());
  if (begin < end) madvise(begin, static_cast<std::size_t>(end - begin), MADV_DONTNEED);
}

namespace {

/// Replaces the rest of the mapping by zeros. mmap() is not on the list of async-signal-safe
/// functions, but it is a plain system call.
bool replace_rest(const void* address) {
  char* const first = page_of(static_cast<const char*>(address));
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  return std::any_of(mappings.begin(), mappings.end(), [first, at](Mapping& mapping) {
    const std::uintptr_t end = mapping.end;
    if (at < mapping.begin || at >= end) return false;
    if (reserve(first, end - at) == MAP_FAILED) return false;
    mapping.was_cut = true;
    return true;
  });
}

void on_sigbus(int signal, siginfo_t* info, void* context) {
  // Only signals of the kernel have an address; others were sent by a process.
  if (info->si_code > 0 && replace_rest(info->si_addr)) return;
  if ((earlier_action.sa_flags & SA_SIGINFO) != 0 && earlier_action.sa_sigaction != nullptr)
    earlier_action.sa_sigaction(signal, info, context);
  else if (sigaction(signal, &earlier_action, nullptr) == 0 && info->si_code <= 0)
    raise(signal);  // else the instruction is repeated under the previous handler
}

}  // namespace

void MappedFile::take_sigbus() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_sigbus;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, &earlier_action);
  });
}

}  // namespace physmem
