// SPDX-License-Identifier: MIT
// Words for classes and owners of frames.
#pragma once

#include <string>

#include "analyzer/analyze/owner_identity.h"
#include "analyzer/model/frame_classes.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// What distinguishes owners of equal names: "ext4 254:1 8421" of a file, a number or nothing.
std::string owner_identity(const OwnerIdentity& owner);

/// "254:1".
std::string device_text(std::uint64_t device);

/// The title of the class with this word. Another text is returned as it is.
std::string class_title(const std::string& word);
/// A class by its word. "unmarked: WORD" is "TITLE (by totals)".
Word class_cell(const std::string& word);
Word class_cell(FrameClass use);

/// The colour of a class by its word. "unmarked: WORD" has the colour of the class WORD, or
/// otherwise of unmarked frames. Other texts are grey.
std::uint32_t class_colour(const std::string& word);

}  // namespace physmem
