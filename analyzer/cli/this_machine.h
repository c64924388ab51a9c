// SPDX-License-Identifier: MIT
#pragma once

#include "analyzer/model/header.h"

namespace physmem {

/// Whether the snapshot was taken on this machine, by its boot or its name. Elsewhere the same user
/// ids may have other names.
bool is_of_this_machine(const Header& header);

}  // namespace physmem
