// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/persistence.h"

#include <algorithm>

namespace physmem {
namespace {

/// Tolerance for window lengths: a sampler may be some milliseconds late.
constexpr double kPrecision = 0.98;

}  // namespace

void Persistence::add(double seconds, bool enter, bool stay, bool over) {
  windows_.push_front({seconds, enter});
  double covered = 0;
  held_ = 0;
  std::size_t used = 0;
  for (; used < windows_.size() && covered < times_.span * kPrecision; ++used) {
    const double part = std::min(windows_[used].seconds, times_.span - covered);
    covered += part;
    if (windows_[used].enter) held_ += part;
  }
  windows_.resize(used);
  away_ = stay ? 0 : away_ + seconds;
  over_ = over && !stay ? over_ + seconds : 0;
  if (is_active_)
    is_active_ = away_ < times_.leave * kPrecision && over_ < times_.over * kPrecision;
  else
    is_active_ = held_ >= times_.hold * kPrecision;
}

void Persistence::reset() {
  windows_.clear();
  held_ = 0;
  away_ = 0;
  over_ = 0;
  is_active_ = false;
}

}  // namespace physmem
