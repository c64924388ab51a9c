// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "tests/conformance/difference.h"
#include "tests/conformance/snapshot_reader.h"

namespace physmem::conformance {

/// Explains why two snapshots of one machine differ in the processes that were stopped, while other
/// programs ran. Nothing is assumed about these; the reason must follow from the snapshots.
class Reasons {
 public:
  /// Takes snapshots of all processes; those in `still` were stopped.
  Reasons(const Snapshot& a, const Snapshot& b, std::set<std::uint64_t> still);

  /// Empty if there is no reason.
  std::string of(const Difference& difference) const;

 private:
  /// The other processes that map a frame in one of the snapshots: name and pid, and the number of
  /// mappings.
  using Others = std::map<std::string, std::uint64_t>;
  using OthersOfFrame = std::map<std::uint64_t, Others>;

  OthersOfFrame others_of(const Snapshot& snapshot) const;
  std::string reason_of_count(const Difference& difference, const Others& a, const Others& b) const;

  std::set<std::uint64_t> still_;
  OthersOfFrame a_;
  OthersOfFrame b_;
};

}  // namespace physmem::conformance
