// SPDX-License-Identifier: MIT
#include "tests/unit/kernel-image/fake_memory.h"

#include <algorithm>

namespace physmem::crash {

std::uint64_t FakeMemory::allocate(std::string_view what, std::size_t bytes,
                                   std::uint64_t alignment) {
  const std::uint64_t at = (next_ + alignment - 1) / alignment * alignment;
  next_ = at + bytes;
  pieces_.push_back({std::string(what), at, bytes});
  return at;
}

bool FakeMemory::exists(std::uint64_t at) {
  return (at >= kDirectMap && at - kDirectMap < kBytes) ||
         (at >= kStructPages && at - kStructPages < kBytes / kPage * 64);
}

FakeMemory::Block& FakeMemory::block(std::uint64_t at) {
  const auto [found, is_new] = blocks_.try_emplace(at / kPage);
  if (is_new) fill(at / kPage * kPage, found->second.data());
  return found->second;
}

void FakeMemory::write(std::uint64_t at, const void* bytes, std::size_t n) {
  const auto* from = static_cast<const std::uint8_t*>(bytes);
  while (n != 0) {
    const std::size_t part = std::min<std::size_t>(n, kPage - at % kPage);
    std::copy_n(from, part, block(at).begin() + at % kPage);
    at += part;
    from += part;
    n -= part;
  }
}

std::uint64_t FakeMemory::get(std::uint64_t at, std::size_t n) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < n; ++i)
    value |= std::uint64_t{block(at + i)[(at + i) % kPage]} << 8 * i;
  return value;
}

std::uint64_t FakeMemory::text(std::string_view what, std::string_view text) {
  const std::uint64_t at = allocate(what, text.size() + 1, 8);
  put_text(at, text);
  return at;
}

bool FakeMemory::read(pm_space space, std::uint64_t at, void* to, std::size_t n) {
  ++reads_;
  before_read();
  if (space == PM_KERNEL && at >> 40 == kStructPages >> 40) page_blocks_.insert(at / kPage);
  if (space == PM_PHYSICAL) at += kDirectMap;
  auto* next = static_cast<std::uint8_t*>(to);
  while (n != 0) {
    if (!exists(at) || lost_.count(at / kPage) != 0) return false;
    const std::size_t part = std::min<std::size_t>(n, kPage - at % kPage);
    std::copy_n(block(at).begin() + at % kPage, part, next);
    next += part;
    at += part;
    n -= part;
  }
  return true;
}

}  // namespace physmem::crash
