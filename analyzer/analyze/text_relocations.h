// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "analyzer/analyze/alerts.h"

namespace physmem {

/// Does the ELF file of the unit, looked for below `root`, say DT_TEXTREL (or DF_TEXTREL in
/// DT_FLAGS)? Nothing when it cannot be read, is no ELF file, or (under the root "/") is another
/// file than the snapshot's: device and inode differ.
std::optional<bool> has_text_relocations(const PrivateText& unit, const std::string& root);

}  // namespace physmem
