// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "program/memory_limit.h"
#include "program/option_table.h"

namespace physmem {

/// The option --max-memory of an OptionTable, and what stores its value.
inline constexpr OptionText kMaxMemoryOption{
    0, "max-memory", "SIZE", "memory limit", "half of the RAM, or of the cgroup's limit", "512M"};
template <auto kMember, class T>
std::string set_memory(T& options, const char* value) {
  options.*kMember = memory_size_of(value);
  return options.*kMember ? "" : kMemorySizes;
}

}  // namespace physmem
