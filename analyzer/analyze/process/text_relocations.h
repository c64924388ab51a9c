// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "analyzer/analyze/process/alerts.h"

namespace physmem {

/// Whether the ELF file of the unit below `root` has DT_TEXTREL (or DF_TEXTREL in DT_FLAGS).
/// Nothing if it is not an ELF file, or its dynamic section cannot be read up to its end. Below
/// "/", also nothing if device or inode differ from the snapshot.
std::optional<bool> has_text_relocations(const PrivateText& unit, const std::string& root);

}  // namespace physmem
