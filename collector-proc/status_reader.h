// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace physmem::collect {

/// What a snapshot needs of /proc/PID/status.
struct TaskStatus {
  std::uint64_t tgid = 0;
  std::uint64_t uid = 0;  // the real one
};

std::optional<TaskStatus> parse_status(std::string_view text);

}  // namespace physmem::collect
