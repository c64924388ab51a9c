// SPDX-License-Identifier: MIT
// Names of hosts in a message.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fleet/ask/selected.h"

namespace physmem::fleet {

/// The name of each machine, in their order: "web1", or "web1 [3f5c20a1]" with the machine id,
/// which
/// --host takes too, if another of them has the same name.
std::vector<std::string> names_of(const std::vector<Machine>& machines);

/// "a, b, …": the first `count` of the names.
std::string first_names(const std::vector<std::string>& names, std::size_t count);

}  // namespace physmem::fleet
