// SPDX-License-Identifier: MIT
#include "collector-proc/kernel/own_frame.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace physmem::collect {
namespace {

/// The frame of this program's page at the address; 0: the kernel hides it, or there is none.
std::uint64_t frame_of(const volatile void* at, std::uint64_t page_size) {
  constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;
  constexpr std::uint64_t kFrame = (std::uint64_t{1} << 55) - 1;
  const UniqueFd pagemap(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  std::uint64_t entry = 0;
  const auto page = reinterpret_cast<std::uintptr_t>(at) / page_size;
  if (!pagemap ||
      ::pread(pagemap.get(), &entry, sizeof entry, static_cast<off_t>(page * sizeof entry)) !=
          sizeof entry ||
      (entry & kPresent) == 0)
    return 0;
  return entry & kFrame;
}

}  // namespace

OwnFrame::OwnFrame(std::size_t page_size)
    : file_(static_cast<int>(::memfd_create("physmem", MFD_CLOEXEC))), page_size_(page_size) {
  if (!file_ || ::ftruncate(file_.get(), static_cast<off_t>(page_size)) != 0) return;
  void* const at = ::mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (at == MAP_FAILED) return;
  at_ = static_cast<volatile char*>(at);
  *at_ = 1;
}

OwnFrame::~OwnFrame() {
  if (at_ != nullptr) ::munmap(const_cast<char*>(at_), page_size_);
}

std::uint64_t OwnFrame::pfn() const {
  return at_ == nullptr ? 0 : frame_of(at_, page_size_);
}

std::uint64_t zero_frame(std::size_t page_size) {
  void* const at = ::mmap(nullptr, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return 0;
  static_cast<void>(*static_cast<volatile char*>(at));
  const std::uint64_t pfn = frame_of(at, page_size);
  ::munmap(at, page_size);
  return pfn;
}

}  // namespace physmem::collect
