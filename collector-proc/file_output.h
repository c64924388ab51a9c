// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "collector-proc/output.h"

namespace physmem::collect {

/// A file that appears under its name only when it is complete, readable by its owner alone: it is written
/// under another name in the same folder, then renamed. A device or a pipe (/dev/null, a FIFO) is written to
/// as it is; a symbolic link is refused.
Result<std::unique_ptr<Output>> open_file_output(const std::string& name);

}  // namespace physmem::collect
