// SPDX-License-Identifier: MIT
// Decoder for the compact form of snapshots (formats/compact-snapshots.md).
#pragma once

#include <memory>
#include <string_view>

#include "analyzer/parse/codec.h"
#include "analyzer/parse/predecoded_runs.h"

namespace physmem {

/// True for every version of the compact form.
bool begins_compact(std::string_view head);

/// Puts runs of M: entries into `predecoded` instead of the text, after predecoded->request().
/// `predecoded` may be nullptr.
std::unique_ptr<Codec> compact_codec(PredecodedRuns* predecoded);

}  // namespace physmem
