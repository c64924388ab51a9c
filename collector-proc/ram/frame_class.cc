// SPDX-License-Identifier: MIT
#include "collector-proc/ram/frame_class.h"

#include <array>

#include "formats/emit/flags.h"

namespace physmem::collect {
namespace {

/// Flags that alone decide the class, the first that is set.
struct Mark {
  std::uint64_t flag;
  pm_ram_class use;
};
constexpr std::array<Mark, 8> kMarks{{{PM_PAGE_HWPOISON, PM_RAM_POISON},
                                      {PM_PAGE_BUDDY, PM_RAM_FREE},
                                      {PM_PAGE_OFFLINE, PM_RAM_BALLOON},
                                      {PM_PAGE_SLAB, PM_RAM_SLAB},
                                      {PM_PAGE_PGTABLE, PM_RAM_PGTABLE},
                                      {PM_PAGE_HUGE, PM_RAM_HUGETLB},
                                      {PM_PAGE_ZERO_PAGE, PM_RAM_ZERO},
                                      {PM_PAGE_ANON, PM_RAM_ANON}}};

/// Flags that only pages of a file have. Memory of the kernel that processes map is referenced too
/// (the vdso's data), and dirty after a process has written to it (arrays of BPF, buffers of
/// drivers).
constexpr std::uint64_t kOfFile =
    PM_PAGE_LRU | PM_PAGE_UPTODATE | PM_PAGE_ACTIVE | PM_PAGE_WRITEBACK | PM_PAGE_UNEVICTABLE;

}  // namespace

pm_ram_class class_of_reserved(FrameSpan::Kind span) {
  switch (span) {
    case FrameSpan::Kind::kKernelCode:
      return PM_RAM_KERNEL_CODE;
    case FrameSpan::Kind::kKernelData:
      return PM_RAM_KERNEL_DATA;
    case FrameSpan::Kind::kCrashKernel:
      return PM_RAM_CRASH_KERNEL;
    case FrameSpan::Kind::kOffline:
      return PM_RAM_OFFLINE;
    case FrameSpan::Kind::kRam:
      break;
  }
  return PM_RAM_RESERVED;
}

pm_ram_class class_of_frame(std::uint64_t flags, std::uint64_t cgroup, FrameSpan::Kind span,
                            const FlagRules& rules) {
  if ((flags & PM_PAGE_NOPAGE) != 0) return PM_RAM_HOLE;
  if ((flags & kReservedFrame) != 0 && (flags & PM_PAGE_ZERO_PAGE) == 0)
    return class_of_reserved(span);
  for (const Mark& mark : kMarks)
    if ((flags & mark.flag) != 0) return mark.use;
  if ((flags & PM_PAGE_SWAPBACKED) != 0) return PM_RAM_SHMEM;
  if ((flags & kOfFile) == 0) return PM_RAM_UNMARKED;
  const bool has_no_more = (flags & PM_PAGE_STABLE_MASK) == PM_PAGE_UPTODATE;
  if (rules.has_zsmalloc && rules.has_cgroups && has_no_more && cgroup == 0) return PM_RAM_ZSMALLOC;
  return PM_RAM_FILE;
}

}  // namespace physmem::collect
