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

/// `pages` pages that are alike.
struct Stretch {
  std::uint64_t pages = 0;
  std::string what;  // see README.md: ".", "s", or a count and letters
};

/// What the workload says of a range of addresses.
struct Expectation {
  std::uint64_t pid = 0;
  std::uint64_t start = 0;
  std::uint64_t bytes = 0;
  std::vector<Stretch> stretches;
  std::string unit;
};

/// Programs that stand still: started here, killed at the end, all of their process group.
class StoppedProgram {
 public:
  /// Runs it in an empty folder of its own and reads its output up to the line "ready" or "skip
  /// ...".
  explicit StoppedProgram(const std::vector<std::string>& words);
  StoppedProgram(const StoppedProgram&) = delete;
  StoppedProgram& operator=(const StoppedProgram&) = delete;
  ~StoppedProgram();

  const std::vector<std::uint64_t>& pids() const { return pids_; }
  const std::vector<Expectation>& expectations() const { return expectations_; }
  /// Task and the task whose address space it shares.
  const std::vector<std::pair<std::uint64_t, std::uint64_t>>& sharers() const { return sharers_; }
  /// Why there is nothing to test; empty: there is.
  const std::string& skip_reason() const { return skip_reason_; }

  /// Output of the collector for these processes. options: besides --pid.
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

/// What a command writes to standard output. Throws std::runtime_error when it fails.
std::string output_of(const std::string& command);

/// "1,2,3"
std::string comma_list(const std::vector<std::uint64_t>& pids);

/// Every way in which the snapshot is not what the workload says.
std::vector<Difference> differences_to_expectation(const Snapshot& snapshot,
                                                   const Expectation& expected);

}  // namespace physmem::conformance
