// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "formats/output/output.h"

namespace physmem {

/// A file that appears under its name only when it is complete, by the rules of OutputTarget.
/// Devices, pipes and standard output ("-", "") are written directly.
Result<std::unique_ptr<Output>> open_file_output(const std::string& name);

}  // namespace physmem
