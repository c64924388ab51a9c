// SPDX-License-Identifier: MIT
#include "analyzer/report/line_thinning.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "analyzer/report/axis.h"

namespace physmem {
namespace {

/// Takes the points column by column, and keeps at most four of each.
class Thinner {
 public:
  explicit Thinner(double column) : width_(column) {}

  void add(const std::pair<double, double>& point) {
    const double column = std::floor(point.first / width_);
    if (!points_.empty() && column != column_) {
      flush();
      if (is_gap_) close_run();
    }
    is_gap_ = false;
    column_ = column;
    points_.push_back(point);
  }
  /// Ignored if the next point lies in the same column.
  void gap() { is_gap_ = true; }
  std::vector<LineRun> finish() {
    flush();
    close_run();
    return std::move(runs_);
  }

 private:
  void flush() {
    constexpr std::size_t kKept = 4;
    if (points_.size() > kKept) {
      const auto by_y = [](const auto& a, const auto& b) { return a.second < b.second; };
      const auto [low, high] = std::minmax_element(points_.begin(), points_.end(), by_y);
      std::array kept{points_.begin(), std::min(low, high), std::max(low, high), points_.end() - 1};
      const auto* end = std::unique(kept.begin(), kept.end());
      for (const auto* place = kept.begin(); place != end; ++place) run_.push_back(**place);
    } else {
      run_.insert(run_.end(), points_.begin(), points_.end());
    }
    points_.clear();
  }
  void close_run() {
    if (!run_.empty()) runs_.push_back(std::move(run_));
    run_.clear();
  }

  double width_;
  double column_ = 0;
  bool is_gap_ = false;
  LineRun points_;  // of the column
  LineRun run_;     // of the columns before it, since the last gap
  std::vector<LineRun> runs_;
};

}  // namespace

std::vector<LineRun> thinned(const LineRun& points, double column) {
  Thinner thinner(column);
  for (const auto& point : points) {
    if (!is_drawable(point.first)) continue;
    if (is_drawable(point.second))
      thinner.add(point);
    else
      thinner.gap();
  }
  return thinner.finish();
}

}  // namespace physmem
