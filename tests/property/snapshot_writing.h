// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tests/property/random_snapshot.h"

namespace physmem {

/// The text of the snapshot, written by the emitter or in the paper's format (version 1).
std::string emitted(const RandomSnapshot& snapshot);
std::string as_version_1(const RandomSnapshot& snapshot);

/// The events that the reader must produce for either text, in the format of EventText.
std::string expected_events(const RandomSnapshot& snapshot, Version version = Version::k2);

}  // namespace physmem
