// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "analyzer/model/header.h"
#include "analyzer/parse/snapshot_reader.h"
#include "program/moment.h"
#include "program/result.h"

namespace physmem {

/// The number of the snapshot in a recording, from 1, that is the last one up to this time. It
/// reads the whole file, because the recording's end decides which day a time without a date is of.
Result<std::size_t> snapshot_at(const std::string& input, const Moment& moment);

/// Of the first snapshot in a file.
Result<Header> first_header(const std::string& input);

/// Reads the snapshots before it. Returns its number; 0 without a moment.
Result<std::size_t> pass_to(const std::optional<Moment>& moment, const std::string& input,
                            SnapshotReader& reader);

}  // namespace physmem
