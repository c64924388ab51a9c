// SPDX-License-Identifier: MIT
#include "collector-proc/kernel/own_frame.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector-proc/entry_file.h"
#include "collector-proc/text_cursor.h"
#include "formats/emit/flags.h"

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

/// Whether the kernel says that the frame has all these flags.
bool has_flags(const ProcTree& tree, std::uint64_t pfn, std::uint64_t flags) {
  const UniqueFd kpageflags = open_at(tree.fd(), "kpageflags");
  return kpageflags && (entry_at(kpageflags.get(), pfn).value_or(0) & flags) == flags;
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

std::uint64_t zero_frame(const ProcTree& tree, std::size_t page_size) {
  void* const at = ::mmap(nullptr, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return 0;
  static_cast<void>(*static_cast<volatile char*>(at));
  const std::uint64_t pfn = frame_of(at, page_size);
  ::munmap(at, page_size);
  return pfn != 0 && has_flags(tree, pfn, PM_PAGE_ZERO_PAGE) ? pfn : 0;
}

/// A read from memory for huge pages maps it. It is not made for that: the kernel says how often it
/// has made one.
std::uint64_t huge_zero_frame(const ProcTree& tree) {
  constexpr std::size_t kSmall = 4096, kHuge = 512 * kSmall;
  ReadBuffer vmstat;
  if (read_at(tree.fd(), "vmstat", vmstat) != Access::kRead ||
      number_of_line(vmstat.text(), "thp_zero_page_alloc ").value_or(0) == 0)
    return 0;
  void* const at = ::mmap(nullptr, 2 * kHuge, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return 0;
  const std::size_t below = (kHuge - reinterpret_cast<std::uintptr_t>(at) % kHuge) % kHuge;
  auto* const huge = static_cast<volatile char*>(at) + below;
  ::madvise(const_cast<char*>(huge), kHuge, MADV_HUGEPAGE);
  static_cast<void>(*huge);
  // Page 1 was not read: it is there if page 0 came with it.
  const std::uint64_t pfn = frame_of(huge + kSmall, kSmall);
  ::munmap(at, 2 * kHuge);
  return pfn != 0 && has_flags(tree, pfn, PM_PAGE_THP | PM_PAGE_ZERO_PAGE) ? pfn - 1 : 0;
}

}  // namespace physmem::collect
