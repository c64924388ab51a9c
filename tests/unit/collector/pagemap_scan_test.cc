// SPDX-License-Identifier: MIT
#include "collector-proc/pagemap_scan.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <set>

#include "system/unique_fd.h"

namespace physmem::collect {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 42;  // 4 TiB of nothing
constexpr std::size_t kPage = 4096;

/// An address space of our own with a few pages far apart.
class SparseMap {
 public:
  SparseMap()
      : start_(static_cast<char*>(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}
  SparseMap(const SparseMap&) = delete;
  SparseMap& operator=(const SparseMap&) = delete;
  ~SparseMap() {
    if (is_there()) ::munmap(start_, kBytes);
  }
  bool is_there() const { return start_ != MAP_FAILED; }
  void touch(std::size_t offset) {
    ::madvise(start_ + offset / (512 * kPage) * (512 * kPage), 512 * kPage, MADV_NOHUGEPAGE);
    start_[offset] = 1;
  }
  std::uint64_t address(std::size_t offset = 0) const {
    return reinterpret_cast<std::uint64_t>(start_) + offset;
  }

 private:
  char* start_;
};

// More regions than the kernel gathers at once (512), the case in which its walk_end lags behind.
TEST(PagemapScan, FindsEveryPopulatedPageOnce) {
  SparseMap map;
  const UniqueFd pagemap(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  if (!map.is_there() || !pagemap) GTEST_SKIP() << "no /proc/self/pagemap, or no 4 TiB of address space";
  std::set<std::uint64_t> touched;
  for (std::size_t i = 0; i < 1500; ++i) {
    const std::size_t offset =
        i * (std::size_t{2} << 20) + i % 512 * kPage + i / 500 * (std::size_t{1} << 40);
    map.touch(offset);
    touched.insert(map.address(offset));
  }
  PagemapScan scan(pagemap.get(), map.address(), map.address(kBytes));
  std::set<std::uint64_t> found;
  std::vector<Region> regions;
  std::uint64_t previous_end = 0;
  do {
    if (!scan.next(regions)) GTEST_SKIP() << "this kernel has no PAGEMAP_SCAN (it came with Linux 6.7)";
    for (const Region& region : regions) {
      EXPECT_GE(region.start, previous_end);
      previous_end = region.end;
      for (std::uint64_t at = region.start; at < region.end; at += kPage) found.insert(at);
    }
  } while (!regions.empty());
  EXPECT_EQ(found, touched);
}

TEST(PagemapScan, SaysWhereToGoOnWhenTheKernelCannot) {
  const UniqueFd other(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  PagemapScan scan(other.get(), 4096, 8192);
  std::vector<Region> regions;
  EXPECT_FALSE(scan.next(regions));
  EXPECT_TRUE(regions.empty());
  EXPECT_EQ(scan.position(), 4096u);
}

}  // namespace
}  // namespace physmem::collect
