// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "formats/output/output.h"
#include "program/result.h"

namespace physmem {

enum class SnapshotForm { kText, kCompact };

/// "-" or an empty name is standard output; a name that ends in .zst is compressed. The compact
/// form is rejected for terminals.
Result<std::unique_ptr<Output>> open_output(const std::string& name,
                                            SnapshotForm form = SnapshotForm::kText);

}  // namespace physmem
