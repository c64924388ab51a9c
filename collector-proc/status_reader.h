// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace physmem::collect {

/// Fields of /proc/PID/status that a snapshot needs.
struct TaskStatus {
  std::uint64_t tgid = 0;
  std::uint64_t uid = 0;  // the real uid
};

std::optional<TaskStatus> parse_status(std::string_view text);

}  // namespace physmem::collect
