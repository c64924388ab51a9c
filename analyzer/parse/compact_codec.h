// SPDX-License-Identifier: MIT
// The compact form back to the text that it was made of.
#pragma once

#include <memory>

#include "analyzer/model/page_run.h"
#include "analyzer/parse/codec.h"

#include <string>

namespace physmem {

std::unique_ptr<Codec> compact_codec();

namespace compact {

/// The entries of a run, as pm_emit_pages() writes them.
void append_entries(std::string& out, const PageRun& run, std::uint64_t page_bytes);

}  // namespace compact
}  // namespace physmem
