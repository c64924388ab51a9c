// SPDX-License-Identifier: MIT
// The recorded results of a benchmark run; tests/bench/README.md documents the format.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/result.h"

namespace physmem::bench {

enum class Verdict { kMet, kMissed, kNotMeasured };

/// A measured number and its bound.
struct Goal {
  std::string name;
  std::optional<double> measured = {};  ///< empty if not measured; the note has the reason
  bool is_least = false;                ///< the bound is a minimum, not a maximum
  std::optional<double> bound = {};     ///< empty if unknown, because nothing was measured
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
  std::string name;  ///< the name of its file without ".svg"
  std::string title;
  std::string x_title;
  std::string y_title;
  bool has_logarithmic_x = false;
  bool has_logarithmic_y = false;
  std::vector<Point> points = {};  ///< x ascends within a line
};

struct BenchRun {
  std::vector<std::pair<std::string, std::string>> machine = {};  ///< names and values
  std::vector<Goal> goals = {};
  std::vector<Chart> charts = {};
  std::vector<std::string> notes = {};
};

/// `name` is used in error messages.
Result<BenchRun> read_bench_run(std::istream& in, const std::string& name);

}  // namespace physmem::bench
