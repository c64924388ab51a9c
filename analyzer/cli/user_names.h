// SPDX-License-Identifier: MIT
// Names of users of this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/model/header.h"

namespace physmem {

/// Whether the snapshot was taken on this machine, by its boot or its name. Elsewhere the same ids
/// may have other names.
bool is_of_this_machine(const Header& header);

/// Empty if the id has no name. Each is looked up once.
std::string user_name(std::uint64_t uid);

/// Of a name or a number. Nothing if there is no such name.
std::optional<std::uint64_t> user_id(const std::string& user);

}  // namespace physmem
