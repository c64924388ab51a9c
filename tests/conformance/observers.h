// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace physmem::conformance {

/// Whether programs that come and go may map this unit as well, so that the counts of its pages
/// differ between two looks. In a guest these are the programs that look: their shell and the
/// kernel's own pages. On a machine where others work, too, which is where this program is not
/// static, also all files of the system.
bool is_of_observers(const std::string& unit);

/// Whether the two use counts of a page of such a unit can both be true.
bool may_be_observers(std::uint64_t a, std::uint64_t b);

/// Page flags that change when an observer's mapping ends: the kernel remembers its accesses.
constexpr std::uint64_t kObserversFlags = 1u << 2 | 1u << 6;  // referenced, active

}  // namespace physmem::conformance
