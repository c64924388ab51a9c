// SPDX-License-Identifier: MIT
// Names of users of this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace physmem {

/// Empty if the id has no name. Each id is looked up once. For one thread.
std::string user_name(std::uint64_t uid);

/// Of a name or a number. Nothing if there is no such name.
std::optional<std::uint64_t> user_id(const std::string& user);

}  // namespace physmem
