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

/// Those that the handler looks at; more files than this at once are read, not mapped.
constexpr std::size_t kMost = 256;
std::array<std::atomic<MappedFile*>, kMost> mapped{};
struct sigaction before;

bool enter(MappedFile* file) {
  return std::any_of(mapped.begin(), mapped.end(), [&](auto& slot) {
    MappedFile* none = nullptr;
    return slot.compare_exchange_strong(none, file);
  });
}

void* reserve(void* at, std::size_t size) {
  const int fixed = at == nullptr ? 0 : MAP_FIXED;
  return mmap(at, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
}

}  // namespace

/// The region: a page before the file, so that the margin is there, the file, and a page of zeros behind its end.
MappedFile::MappedFile(int fd) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
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
  if (!enter(this) || mmap(begin, size, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) return;
  madvise(begin, size, MADV_SEQUENTIAL);
  text_ = {region_ + page_, static_cast<std::size_t>(size)};
}

MappedFile::~MappedFile() {
  if (region_ == nullptr) return;
  for (auto& slot : mapped) {
    MappedFile* self = this;
    slot.compare_exchange_strong(self, nullptr);
  }
  munmap(region_, region_size_);
}

void MappedFile::let_go(std::uint64_t offset) {
  const std::uint64_t end = offset > page_ ? (offset - page_) / page_ * page_ : 0;  // the margin stays
  if (end <= gone_) return;
  // A fault maps what is around it too (fault_around_bytes, 64 KiB, or all of a large folio), before what was let go.
  constexpr std::uint64_t kAround = 2 << 20;
  const std::uint64_t begin = gone_ > kAround ? gone_ - kAround : 0;
  madvise(region_ + page_ + begin, end - begin, MADV_DONTNEED);
  gone_ = end;
}

void expect(std::string_view text) {
#ifndef MADV_POPULATE_READ
  constexpr int MADV_POPULATE_READ =
      22;  // Linux 5.14; where the kernel does not know it, pages come by faults
#endif
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(text.data()) / page * page;
  const std::uintptr_t end =
      (reinterpret_cast<std::uintptr_t>(text.data()) + text.size() + page - 1) / page * page;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);
}

void forget(std::string_view text) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(text.data()) + page - 1) / page * page;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(text.data() + text.size()) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

/// Puts zeros where the rest of the window was. mmap() is a plain system call, whatever the list of functions for
/// signal handlers says of it.
bool MappedFile::replaces(const void* address) {
  const char* const at = static_cast<const char*>(address);
  if (at < region_ || at >= region_ + region_size_) return false;
  char* const from = region_ + static_cast<std::size_t>(at - region_) / page_ * page_;
  if (reserve(from, static_cast<std::size_t>(region_ + region_size_ - from)) == MAP_FAILED) return false;
  was_cut_.store(true, std::memory_order_relaxed);
  return true;
}

void MappedFile::on_sigbus(int signal, siginfo_t* info, void* context) {
  for (auto& slot : mapped)
    if (MappedFile* const file = slot.load(); file != nullptr && file->replaces(info->si_addr)) return;
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr)
    before.sa_sigaction(signal, info, context);
  else if (sigaction(signal, &before, nullptr) == 0 && info->si_code <= 0)
    raise(
        signal);  // somebody sent it; else the instruction comes again, and finds the handler that was there
}

void MappedFile::take_sigbus() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_sigbus;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, &before);
  });
}

}  // namespace physmem
