// SPDX-License-Identifier: MIT
#include "tests/unit/kernel-image/fake_stacks.h"

namespace physmem::crash {

namespace {

constexpr std::uint64_t kFrames = 0x200;  // of the first section, with records
constexpr std::uint64_t kFunctions = 0xFFFFFFFF81400000;
constexpr unsigned kOffsetBits = 10;

}  // namespace

FakeStacks::FakeStacks(FakeKernel& kernel, const FakeRam& ram)
    : kernel_(kernel), record_bytes_(kOffset + kernel.types.size("page_owner")) {
  const auto variable = [&](const char* name, std::size_t bytes, std::uint64_t value) {
    kernel.symbols[name] = kernel.memory.allocate(name, bytes, 8);
    kernel.memory.put(kernel.symbols[name], bytes, value);
  };
  // From the number of the pool on: 5.10 has 21 bits, 6.1 has 16, 6.12 has 17 and counts from 1.
  const bool is_5_10 = kernel.types.is_hidden("SECTION_IS_ONLINE_BIT");
  const bool is_6_12 = !kernel.types.is_hidden("vmap_node");
  pool_bits_ = is_5_10 ? 21 : is_6_12 ? 17 : 16;
  other_bits_ = is_6_12 ? 0 : 1u << (pool_bits_ + kOffsetBits);
  pool_number_ = is_6_12 ? 3 : 2;
  array_ = kernel.memory.allocate("page_ext", kFrames * record_bytes_, kPage);
  kernel.put(ram.section(0), "mem_section.page_ext", array_);
  pool_ = kernel.memory.allocate("stack pool", kPoolBytes, kPage);
  const char* pools = is_6_12 ? "stack_pools" : "stack_slabs";
  kernel.symbols[pools] = kernel.memory.allocate("stack_pools", 24, 8);
  kernel.memory.put(kernel.symbols[pools] + 16, 8, pool_);
  if (is_6_12)
    variable("pools_num", 4, 3);
  else
    variable("depot_index", 4, 2);
  variable("page_ext_size", 8, record_bytes_);
  kernel.symbols["page_owner_ops"] = kernel.allocate("page_ext_operations");
  kernel.put(kernel.symbols["page_owner_ops"], "page_ext_operations.offset", kOffset);
}

std::uint64_t FakeStacks::address_of(const std::string& function) {
  if (!kernel_.symbols.contains(function))
    kernel_.symbols[function] = kFunctions + 64 * kernel_.symbols.size();
  return kernel_.symbols.at(function) + 0x12;
}

std::uint32_t FakeStacks::record(const std::vector<std::string>& functions) {
  const std::uint32_t handle =
      pool_number_ | static_cast<std::uint32_t>(used_ / 16) << pool_bits_ | other_bits_;
  const std::uint64_t at = record_of(handle);
  kernel_.put(at, "stack_record.handle", handle);
  kernel_.put(at, "stack_record.size", functions.size());
  std::uint64_t entry = kernel_.at(at, "stack_record.entries");
  for (const std::string& function : functions) {
    kernel_.memory.put(entry, 8, address_of(function));
    entry += 8;
  }
  used_ += (entry - at + 15) / 16 * 16;
  return handle;
}

std::uint64_t FakeStacks::record_of(std::uint32_t handle) const {
  return pool_ + (handle >> pool_bits_ & ((1u << kOffsetBits) - 1)) * 16;
}

std::uint64_t FakeStacks::page_ext(std::uint64_t pfn) const {
  return array_ + pfn * record_bytes_;
}

void FakeStacks::allocate(std::uint64_t pfn, unsigned order, std::uint32_t handle) {
  for (const std::uint64_t end = pfn + (std::uint64_t{1} << order); pfn < end; ++pfn) {
    kernel_.put(page_ext(pfn), "page_ext.flags", 3);
    kernel_.put(page_owner(pfn), "page_owner.order", order);
    kernel_.put(page_owner(pfn), "page_owner.handle", handle);
  }
}

}  // namespace physmem::crash
