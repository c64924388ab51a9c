// SPDX-License-Identifier: MIT
// The compact form of snapshots (formats/compact-snapshots.md) as one more compressed form of their
// text.
#pragma once

#include <memory>
#include <string_view>

#include "analyzer/parse/codec.h"
#include "analyzer/parse/predecoded_runs.h"

namespace physmem {

/// Of whatever version.
bool begins_compact(std::string_view head);

/// `known`: gets runs of M: instead of the text, once it wants them; may be nullptr.
std::unique_ptr<Codec> compact_codec(PredecodedRuns* known);

}  // namespace physmem
