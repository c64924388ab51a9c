// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "analyzer/analyze/alerts.h"

namespace physmem {

/// Does the ELF file of the unit, looked for below `root`, say DT_TEXTREL (or DF_TEXTREL in
/// DT_FLAGS)? Its program headers lead to the dynamic section, as for the loader: a stripped
/// library has no section headers. Nothing when the section cannot be read up to its end, the file
/// is no ELF file, or (under the root "/") is another file than the snapshot's: device and inode
/// differ.
std::optional<bool> has_text_relocations(const PrivateText& unit, const std::string& root);

}  // namespace physmem
