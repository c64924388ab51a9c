// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/kernel-image/fake_ram.h"

namespace physmem::crash {

/// What a simulated kernel records of allocations, with page_owner=on.
class FakeStacks {
 public:
  /// After FakeRam::add_sections().
  FakeStacks(FakeKernel& kernel, const FakeRam& ram);

  /// Records a stack, the innermost function first, each at offset 0x12. Returns its handle.
  std::uint32_t record(const std::vector<std::string>& functions);
  /// The record of this handle.
  std::uint64_t record_of(std::uint32_t handle) const;
  /// Marks 1 << order frames as allocated by the stack.
  void allocate(std::uint64_t pfn, unsigned order, std::uint32_t handle);
  std::uint64_t page_ext(std::uint64_t pfn) const;
  std::uint64_t page_owner(std::uint64_t pfn) const { return page_ext(pfn) + kOffset; }
  std::uint64_t record_bytes() const { return record_bytes_; }  ///< per frame
  std::uint64_t address_of(const std::string& function);

 private:
  static constexpr std::uint64_t kOffset = 16, kPoolBytes = 4 * kPage;

  FakeKernel& kernel_;
  std::uint64_t record_bytes_;
  std::uint64_t array_ = 0, pool_ = 0, used_ = 0;
  unsigned pool_bits_ = 0;
  std::uint32_t pool_number_ = 0, other_bits_ = 0;
};

}  // namespace physmem::crash
