// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tests/property/random_snapshot.h"

namespace physmem {

/// The snapshot's text: by the real emitter, or in the paper's form.
std::string emitted(const RandomSnapshot& snapshot);
std::string as_version_1(const RandomSnapshot& snapshot);

/// What the reader must make of either, as EventText writes it.
std::string expected_events(const RandomSnapshot& snapshot, Version version = Version::k2);

}  // namespace physmem
