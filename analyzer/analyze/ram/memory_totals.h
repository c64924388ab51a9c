// SPDX-License-Identifier: MIT
// What RAM is used for by the kernel's own totals (/proc/meminfo), which every snapshot has.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "analyzer/analyze/analysis.h"

namespace physmem {

enum class MemoryPart { kAnon, kShared, kFiles, kKernel, kOther, kFree };
inline constexpr std::size_t kMemoryParts = 6;

/// In kB. kOther is what /proc/meminfo does not count, such as memory of drivers, and huge pages of
/// hugetlb.
class MemoryTotals : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;

  const Header& header() const { return header_; }
  /// Nothing if the snapshot has no totals.
  std::optional<std::uint64_t> total() const { return value(kTotal); }
  std::optional<std::uint64_t> available() const { return value(kAvailable); }
  std::uint64_t swap() const { return value(kSwapTotal).value_or(0); }
  std::uint64_t swap_free() const { return value(kSwapFree).value_or(0); }
  std::uint64_t swap_used() const;
  /// Of MemoryPart::kOther; 0: none, or not known.
  std::uint64_t hugetlb() const { return or_zero(kHugetlb); }
  /// Compressed pages of zram and zswap (zsmalloc).
  std::uint64_t compressed() const { return or_zero(kZspages) * header_.page_size.bytes >> 10; }
  /// What they are, when they are not compressed.
  std::uint64_t uncompressed() const { return or_zero(kZswapped) + or_zero(kZram); }
  /// By MemoryPart. The sum is total(). Nothing if the snapshot has only the size of RAM: its /proc
  /// showed only processes.
  std::optional<std::array<std::uint64_t, kMemoryParts>> parts() const;

 private:
  enum Counted : std::size_t {
    kTotal,
    kFree,
    kAvailable,
    kAnon,
    kCached,
    kBuffers,
    kShmem,
    kSlab,
    kStacks,
    kPageTables,
    kSecPageTables,
    kPercpu,
    kSwapTotal,
    kSwapFree,
    kHugetlb,
    kZswapped,
    kZspages,  ///< pages, not kB
    kZram,
    kCounted
  };
  std::optional<std::uint64_t> value(Counted counted) const { return values_[counted]; }
  std::uint64_t or_zero(Counted counted) const { return values_[counted].value_or(0); }

  Header header_;
  std::array<std::optional<std::uint64_t>, kCounted> values_{};
};

}  // namespace physmem
