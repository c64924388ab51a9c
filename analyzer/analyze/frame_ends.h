// SPDX-License-Identifier: MIT
// The loop over every page that counting frames needs: where do runs of neighbouring frames end?
#pragma once

#include <cstdint>
#include <span>

namespace physmem {

/// How far page-table values of neighbouring frames are apart, and which of their bits are the frame's address.
struct FrameStep {
  std::uint64_t mask = ~std::uint64_t{0};
  std::uint64_t bytes = 4096;  ///< of a page
};

/// Bit i of the answer: the frame of values[i + 1] does not follow that of values[i]. The bit of the last value is set.
/// `values`: 1 to 64 of them.
using FrameEnds = std::uint64_t (*)(std::span<const std::uint64_t> values, const FrameStep& step);

std::uint64_t frame_ends_portable(std::span<const std::uint64_t> values, const FrameStep& step);

/// The fastest that this processor can run.
FrameEnds frame_ends();

}  // namespace physmem
