// SPDX-License-Identifier: MIT
// What a trace says of the machine it is made on.
#pragma once

#include <cstdint>
#include <string>

#include "analyzer/model/paging_event.h"

namespace physmem {

/// Without source and swap areas. `root` stands before /proc: a fixture's folder, or nothing. What cannot be read stays 0.
TraceHeader machine_facts(const std::string& root = "");

}  // namespace physmem
