// SPDX-License-Identifier: MIT
#include "collector-proc/count_kind.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <optional>

#include "collector-proc/entry_file.h"
#include "formats/emit/flags.h"

namespace physmem::collect {
namespace {

constexpr const char* kMapcount = "mapcount";
constexpr const char* kAverage = "average";
constexpr std::size_t kHugeBytes = std::size_t{2} << 20;
/// MADV_COLLAPSE, since Linux 6.1: works even if huge pages are not enabled.
constexpr int kMadvCollapse = 25;

/// A touched huge page of this process.
class HugePage {
 public:
  HugePage()
      : map_(::mmap(nullptr, 2 * kHugeBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                    -1, 0)) {
    if (map_ == MAP_FAILED) return;
    const auto address = reinterpret_cast<std::uintptr_t>(map_);
    start_ = static_cast<char*>(map_) + (kHugeBytes - address % kHugeBytes) % kHugeBytes;
    ::madvise(start_, kHugeBytes, MADV_HUGEPAGE);
    std::memset(start_, 1, kHugeBytes);
    ::madvise(start_, kHugeBytes, kMadvCollapse);
  }
  HugePage(const HugePage&) = delete;
  HugePage& operator=(const HugePage&) = delete;
  ~HugePage() {
    if (map_ != MAP_FAILED) ::munmap(map_, 2 * kHugeBytes);
  }
  char* start() const { return start_; }

 private:
  void* map_;
  char* start_ = nullptr;
};

// Unmaps the second page of a folio; the folio is not split until memory is short. The mean of 511
// mappings of 512 pages is rounded to 1, but the page's own count is 0.
std::string count_by_experiment(const ProcTree& tree) {
  const UniqueFd pagemap = open_at(tree.fd(), (std::to_string(::getpid()) + "/pagemap").c_str());
  const UniqueFd counts = open_at(tree.fd(), "kpagecount");
  const UniqueFd flags = open_at(tree.fd(), "kpageflags");
  const HugePage huge;
  if (!pagemap || !counts || !flags || huge.start() == nullptr) return kMapcount;
  const auto page = static_cast<std::size_t>(::getpagesize());
  const std::uint64_t vpn = reinterpret_cast<std::uintptr_t>(huge.start()) / page;
  const auto entry = entry_at(pagemap.get(), vpn + 1);
  if (!entry || (*entry & kPresent) == 0) return kMapcount;
  const std::uint64_t pfn = *entry & kFrameMask;
  if (::madvise(huge.start() + page, page, MADV_DONTNEED) != 0) return kMapcount;
  const bool is_in_folio = (entry_at(flags.get(), pfn).value_or(0) & PM_PAGE_COMPOUND_TAIL) != 0;
  return is_in_folio && entry_at(counts.get(), pfn).value_or(0) != 0 ? kAverage : kMapcount;
}

}  // namespace

std::string count_kind_of_config(std::string_view text) {
  return text.find("\nCONFIG_NO_PAGE_MAPCOUNT=y\n") == std::string_view::npos ? kMapcount
                                                                              : kAverage;
}

std::string count_kind(const ProcTree& tree, const std::string& kernel_release) {
  if (!tree.is_live()) return kMapcount;
  ReadBuffer config;
  if (read_at(AT_FDCWD, ("/boot/config-" + kernel_release).c_str(), config) == Access::kRead)
    return count_kind_of_config(config.text());
  return count_by_experiment(tree);
}

}  // namespace physmem::collect
