// SPDX-License-Identifier: MIT
// Names of users of this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace physmem {

/// Empty if the id has no name. Each id is looked up once. For one thread.
std::string user_name(std::uint64_t uid);

/// The id of a name, or a number itself. Nothing if there is no such name.
std::optional<std::uint64_t> user_id(const std::string& user);

}  // namespace physmem
