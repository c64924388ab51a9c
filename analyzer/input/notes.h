// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/model/header.h"
#include "analyzer/parse/snapshot_reader.h"

namespace physmem {

/// One sentence for each way in which an answer is less than whole. Nothing is passed over in
/// silence.
std::vector<std::string> sentences(const ReadNotes& notes, const Header& header,
                                   std::uint64_t repeated_areas);

/// Lines that the message on a sentence takes on a terminal, about; 0 if messages go elsewhere.
std::size_t lines_of_message(const std::string& sentence, std::size_t columns);

}  // namespace physmem
