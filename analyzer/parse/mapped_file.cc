// SPDX-License-Identifier: MIT
#include "analyzer/parse/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
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

MappedFile::MappedFile(int fd, std::size_t window)
    : fd_(fd),
      window_(window),
      page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
      region_size_(page_ + (window / page_ + 1) * page_ + 2 * page_) {
  void* const region = reserve(nullptr, region_size_);
  if (region == MAP_FAILED) return;
  take_sigbus();
  region_ = static_cast<char*>(region);
  if (enter(this)) return;
  munmap(region_, region_size_);
  region_ = nullptr;
}

MappedFile::~MappedFile() {
  if (region_ == nullptr) return;
  for (auto& slot : mapped) {
    MappedFile* self = this;
    slot.compare_exchange_strong(self, nullptr);
  }
  munmap(region_, region_size_);
}

/// The region: one page before the window's first, so that the margin is there, then the window, and behind the file's
/// end pages of zeros.
std::string_view MappedFile::window(std::uint64_t offset) {
  struct stat status {};
  if (region_ == nullptr || fstat(fd_, &status) != 0) return {};
  const auto file_size = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
  if (offset >= file_size) return {region_ + page_, 0};
  const std::uint64_t in_page = offset % page_;
  const std::uint64_t before = offset >= page_ ? page_ : 0;
  const std::uint64_t from = offset - in_page - before;
  const auto size =
      static_cast<std::size_t>(std::min<std::uint64_t>(file_size - from, before + in_page + window_));
  char* const begin = region_ + page_ - before;
  if (reserve(region_, region_size_) == MAP_FAILED ||
      mmap(begin, size, PROT_READ, MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd_, static_cast<off_t>(from)) ==
          MAP_FAILED) {
    error_ = errno;
    return {};
  }
  posix_fadvise(fd_, static_cast<off_t>(from + size), static_cast<off_t>(window_), POSIX_FADV_WILLNEED);
  return {begin + before + in_page, size - before - in_page};
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
