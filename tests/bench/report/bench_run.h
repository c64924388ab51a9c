// SPDX-License-Identifier: MIT
// What a run of the benchmark has written down: tests/bench/README.md has the form.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/result.h"

namespace physmem::bench {

enum class Verdict { kMet, kMissed, kNotMeasured };

/// A number that was measured and the one that it should reach.
struct Goal {
  std::string name;
  std::optional<double> measured = {};  ///< nothing: it could not be measured; the note says why
  bool is_least = false;                ///< the bound is the least that is good, not the most
  std::optional<double> bound = {};     ///< nothing: not known either, because nothing was measured
  std::string unit = {};
  std::string note = {};

  Verdict verdict() const;
};

struct Point {
  std::string line;
  double x = 0;
  double y = 0;
};

struct Chart {
  std::string name;  ///< of its file, without ".svg"
  std::string title;
  std::string x_title;
  std::string y_title;
  bool has_logarithmic_x = false;
  bool has_logarithmic_y = false;
  std::vector<Point> points = {};  ///< x ascends within a line
};

struct BenchRun {
  std::vector<std::pair<std::string, std::string>> machine = {};  ///< what, and its value
  std::vector<Goal> goals = {};
  std::vector<Chart> charts = {};
  std::vector<std::string> notes = {};
};

/// `name` stands in errors.
Result<BenchRun> read_bench_run(std::istream& in, const std::string& name);

}  // namespace physmem::bench
