// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "tests/conformance/difference.h"
#include "tests/conformance/snapshot_reader.h"

namespace physmem::conformance {

/// Why two snapshots of one machine, where only some processes stood still, differ in what they say
/// of these. Nothing is assumed of programs that ran: only what the snapshots say of them counts.
class Reasons {
 public:
  /// Snapshots of all processes; those in `still` stood still.
  Reasons(const Snapshot& a, const Snapshot& b, std::set<std::uint64_t> still);

  /// Empty: there is none.
  std::string of(const Difference& difference) const;

 private:
  /// Which processes besides those, in each of the snapshots, map a frame: name and pid, and how
  /// often.
  using Others = std::map<std::string, std::uint64_t>;
  using OthersOfFrame = std::map<std::uint64_t, Others>;

  OthersOfFrame others_of(const Snapshot& snapshot) const;
  std::string reason_of_count(const Difference& difference, const Others& a, const Others& b) const;

  std::set<std::uint64_t> still_;
  OthersOfFrame a_;
  OthersOfFrame b_;
};

}  // namespace physmem::conformance
