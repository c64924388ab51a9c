// SPDX-License-Identifier: MIT
// Whether memory that grows is a leak: growth that is steady and does not come back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "analyzer/analyze/line_fit.h"

namespace physmem {

/// A leak is memory of which all of this is true; the first that is not is the reason why it is
/// none.
enum class LeakReason {
  kLeak,
  /// kMinSamples: through two there is always a line.
  kTooFewSamples,
  /// Trajectory::min_duration, kMinDuration for times in seconds: see kLevelsOff.
  kTooShort,
  /// It is no file's: those pages the kernel takes back when it needs memory.
  kOfFile,
  /// From the first sample to the last it grew by min_leak() pages: less is the grain of an
  /// allocator.
  kSmall,
  /// The lower end of the rate's 95 % interval is growth too, of min_leak() / 2 pages in the time
  /// looked at.
  kUncertain,
  /// It never gave back more than kMaxGivenBack of its growth: caches and saw teeth give back
  /// nearly all.
  kGivesBack,
  /// No step between two samples is more than kLargestStep of the growth (or, where samples are
  /// few, half as much again as its share of the time): what was allocated at once does not go on.
  kOneStep,
  /// In the last third of the time it grew at kMinLateRate of its whole rate, or faster: start-up
  /// growth has levelled off by then. Growth that dies away exponentially passes while the time is
  /// less than about 1.7 of its time constants.
  kLevelsOff,
  /// It is no piece of memory that moves about (leak_search.h).
  kMoves,
};

inline constexpr std::size_t kMinSamples = 3;
/// Bytes: glibc's arenas grow by 132 KiB. In pages, of whatever size, no fewer than kMinLeakPages:
/// in fewer a line cannot be told from a step.
inline constexpr double kMinLeak = 256 << 10;
inline constexpr double kMinLeakPages = 8;
/// Seconds. A starting program that loads and fills its caches grows with a time constant τ, and
/// looks like a leak until about 1.7 τ (kLevelsOff). This duration is enough for τ up to 6 s; a
/// slower start requires a series of 1.7 τ.
inline constexpr double kMinDuration = 10;
inline constexpr double kMaxGivenBack = 0.25;
inline constexpr double kLargestStep = 1.0 / 3;
inline constexpr double kMinLateRate = 0.5;

/// How sure a leak is. Of memory that only wavers around a level, 1.8 in 100 are called a leak with
/// three samples, 1 in 1000 with five, 1 in 10,000 with eight; of memory that walks at random,
/// which nothing tells from a slow leak, 1 to 3 in 100, and 5 in 10,000 with high confidence.
///   high    8 samples, the rate known to 10 %, no more than 5 % of the growth given back,
///           ten times min_leak(), and no shared memory, which may have been there before this
///           process looked at it
///   medium  5 samples, the rate known to 50 %
///   low     else: with three samples one degree of freedom is left
enum class Confidence { kLow, kMedium, kHigh };

struct LeakVerdict {
  LeakReason reason = LeakReason::kTooFewSamples;
  Confidence confidence = Confidence::kLow;
  LineFit fit;           ///< pages by time
  double growth = 0;     ///< pages, last sample - first
  double fall = 0;       ///< pages: the most it ever lay below what it had had before
  double step = 0;       ///< pages: the largest growth between two samples
  double late_rate = 0;  ///< in the last third of the time

  bool is_leak() const { return reason == LeakReason::kLeak; }
  /// How far the rate may be off: half the interval, as a part of the rate.
  double doubt() const { return fit.half_width / fit.slope; }
};

struct Trajectory {
  std::span<const double> time;  ///< ascending
  std::span<const double> pages;
  bool is_of_file = false;
  bool is_shared_memory = false;
  bool is_piece = false;  ///< of memory that moves about
  double page_size = 4096;
  double min_duration = 0;  ///< in units of `time`
};

/// Pages: kMinLeak of that page size.
double min_leak(double page_size);

LeakVerdict judge(const Trajectory& trajectory);

}  // namespace physmem
