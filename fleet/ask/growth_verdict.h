// SPDX-License-Identifier: MIT
// Whether memory of processes grows, from what a store has of a series: the line through its
// snapshots. The rule is the part of analyzer/analyze/time/leak_verdict.h that requires no single
// snapshots: kTooShort, kSmall and kUncertain with the same limits, in bytes.
//
// kOneStep: a line fits no better than it fits a single step in the middle of n snapshots in equal
// intervals, where the square of the correlation is 3/4 × n² / (n² - 1). Memory that is given back,
// or that levels off early, fits even less.
//
// Sizes in adjacent snapshots depend on each other, so the 95 % interval of the slope is computed
// for at most kMaxIndependent snapshots. For a long series, confidence is then high from a square
// of 0.99 on, and medium from 0.8 on.
#pragma once

#include <cstdint>

#include "analyzer/analyze/time/leak_verdict.h"

namespace physmem::fleet {

inline constexpr std::uint64_t kMaxIndependent = 8;

/// The line through a series.
struct GrowthLine {
  std::uint64_t samples = 0;
  double seconds = 0;  ///< from the first to the last
  double slope = 0;    ///< bytes per second
  double fit = 0;      ///< square of the correlation, 0 to 1

  double growth() const { return slope * seconds; }
};

struct GrowthVerdict {
  LeakReason reason = LeakReason::kTooShort;
  Confidence confidence = Confidence::kLow;

  bool grows() const { return reason == LeakReason::kLeak; }
};

/// Requires three samples or more.
GrowthVerdict judge(const GrowthLine& line);

}  // namespace physmem::fleet
