// SPDX-License-Identifier: MIT
// Whether memory that grows is a leak: growth that is steady and does not come back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "analyzer/analyze/time/line_fit.h"

namespace physmem {

/// Memory is a leak if none of the conditions after kLeak holds. The reason for a negative verdict
/// is the first condition that holds.
enum class LeakReason {
  kLeak,
  /// There are fewer than kMinSamples samples: two points always fit a line.
  kTooFewSamples,
  /// The series is shorter than TimeSeries::min_duration (kMinDuration for times in seconds): see
  /// kLevelsOff.
  kTooShort,
  /// The pages belong to a file, so the kernel can reclaim them.
  kOfFile,
  /// It grew by less than min_leak() pages from the first sample to the last. That is the
  /// granularity of an allocator.
  kSmall,
  /// The lower end of the rate's 95 % interval is growth by less than min_leak() / 2 pages in the
  /// observed time, or no growth.
  kUncertain,
  /// It shrank by more than kMaxGivenBack of its growth. Caches and sawtooth patterns give back
  /// nearly all.
  kGivesBack,
  /// A step between two samples is more than kMaxStep of the growth (with few samples: 1.5 times
  /// the step's share of the time). A single large allocation does not continue.
  kOneStep,
  /// In the last third of the time it grew more slowly than at kMinLateRate of its overall rate:
  /// start-up growth has levelled off by then. Growth that decays exponentially is not found while
  /// the time is less than about 1.7 of its time constants.
  kLevelsOff,
  /// It is a piece of memory that moves (leak_search.h).
  kMoves,
  /// Its pages were mapped by processes before: all of its pages together do not leak
  /// (ram_leak_judge.h).
  kWasMapped,
};

inline constexpr std::size_t kMinSamples = 3;
/// Bytes: glibc's arenas grow by 132 KiB. In pages of any size at least kMinLeakPages: with fewer,
/// a line cannot be distinguished from a step.
inline constexpr double kMinLeak = 256 << 10;
inline constexpr double kMinLeakPages = 8;
/// Seconds. A starting program that loads and fills its caches grows with a time constant τ, and
/// looks like a leak until about 1.7 τ (kLevelsOff). This duration is enough for τ up to 6 s; a
/// slower start requires a series of 1.7 τ.
inline constexpr double kMinDuration = 10;
inline constexpr double kMaxGivenBack = 0.25;
inline constexpr double kMaxStep = 1.0 / 3;
inline constexpr double kMinLateRate = 0.5;

/// The confidence in a leak. Memory that only fluctuates around a level is reported as a leak in
/// 1.8 of 100 cases with three samples, 1 of 1000 with five, and 1 of 10,000 with eight. A random
/// walk cannot be distinguished from a slow leak: 1 to 3 of 100 are reported, and 5 of 10,000 with
/// high confidence.
///   high    8 samples, the rate known to 10 %, no more than 5 % of the growth given back,
///           ten times min_leak(), and no shared memory, which may have been there before this
///           process looked at it
///   medium  5 samples, the rate known to 50 %
///   low     otherwise: with three samples one degree of freedom is left
enum class Confidence { kLow, kMedium, kHigh };

struct LeakVerdict {
  LeakReason reason = LeakReason::kTooFewSamples;
  Confidence confidence = Confidence::kLow;
  LineFit fit;           ///< pages by time
  double growth = 0;     ///< pages, last sample - first
  double fall = 0;       ///< pages: the largest decrease below an earlier value
  double step = 0;       ///< pages: the largest growth between two samples
  double late_rate = 0;  ///< in the last third of the time

  bool is_leak() const { return reason == LeakReason::kLeak; }
  /// Relative uncertainty of the rate: half the interval as a fraction of the rate.
  double doubt() const { return fit.half_width / fit.slope; }
};

struct TimeSeries {
  std::span<const double> time;  ///< ascending
  std::span<const double> pages;
  bool is_of_file = false;
  bool is_shared_memory = false;
  bool is_piece = false;  ///< of memory that moves
  double page_size = 4096;
  double min_duration = 0;  ///< in units of `time`
};

/// Pages: kMinLeak of that page size.
double min_leak(double page_size);

LeakVerdict judge(const TimeSeries& series);
/// By the fit, the growth and the fall of a verdict; `min_leak` is in the same unit as these.
Confidence confidence_of(const LeakVerdict& verdict, double min_leak);

}  // namespace physmem
