// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/conformance/difference.h"
#include "tests/conformance/snapshot_reader.h"

namespace physmem::conformance {

/// A run of `pages` uniform pages.
struct Stretch {
  std::uint64_t pages = 0;
  std::string what;  // see README.md: ".", "s", or a count and letters
};

/// The workload's description of a range of addresses.
struct Expectation {
  std::uint64_t pid = 0;
  std::uint64_t start = 0;
  std::uint64_t bytes = 0;
  std::vector<Stretch> stretches;
  std::string unit;
};

/// Starts programs that stop themselves, and kills their process group at the end.
class StoppedProgram {
 public:
  /// Runs the program in an empty folder of its own and reads its output up to the line "ready" or
  /// "skip ...".
  explicit StoppedProgram(const std::vector<std::string>& words);
  StoppedProgram(const StoppedProgram&) = delete;
  StoppedProgram& operator=(const StoppedProgram&) = delete;
  ~StoppedProgram();

  const std::vector<std::uint64_t>& pids() const { return pids_; }
  const std::vector<Expectation>& expectations() const { return expectations_; }
  /// Pairs of a task and the task whose address space it shares.
  const std::vector<std::pair<std::uint64_t, std::uint64_t>>& sharers() const { return sharers_; }
  /// The reason for skipping the test; empty if it can run.
  const std::string& skip_reason() const { return skip_reason_; }

  /// The collector's output for these processes. options are added to --pid.
  std::string collect(const std::string& options = "") const;

 private:
  void run(const std::vector<std::string>& words, int output);
  void read_output(int input);
  void take_line(const std::string& line);
  void wait_until_still() const;

  std::string folder_;
  pid_t child_ = -1;
  std::vector<std::uint64_t> pids_;
  std::vector<Expectation> expectations_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sharers_;
  std::string skip_reason_;
};

/// The standard output of a command. Throws std::runtime_error if the command fails.
std::string output_of(const std::string& command);

/// "1,2,3"
std::string comma_list(const std::vector<std::uint64_t>& pids);

/// Every difference between the snapshot and the workload's description.
std::vector<Difference> differences_to_expectation(const Snapshot& snapshot,
                                                   const Expectation& expected);

}  // namespace physmem::conformance
