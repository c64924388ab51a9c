// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace physmem::conformance {

/// Whether programs that start and end may map this unit as well, so that the use counts of its
/// pages differ between two readings. In a guest these are the observing programs and their shell,
/// and the pages that the kernel supplies. If this program is not static, the machine has other
/// users, and all files of the system count as well.
bool is_of_observers(const std::string& unit);

/// Whether the two use counts of a page of such a unit can both be correct.
bool may_be_observers(std::uint64_t a, std::uint64_t b);

/// Page flags that change when an observer's mapping ends, because the kernel records its accesses.
constexpr std::uint64_t kObserversFlags = 1u << 2 | 1u << 6;  // referenced, active

}  // namespace physmem::conformance
