// SPDX-License-Identifier: MIT
// Decides which snapshots of a series can be compared: snapshots of one machine and one boot, in
// order of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/model/header.h"

namespace physmem {

enum class SeriesStep {
  kFirst,      ///< the first snapshot
  kNext,       ///< of the same boot and later, or neither has an uptime (version 1)
  kNotLater,   ///< of the same boot, but not later than the one before it
  kOtherBoot,  ///< the machine was restarted in between
  kOtherMachine,
};

/// By machine_id; if one has none, by host and architecture.
bool is_other_machine(const Header& a, const Header& b);

/// Never kFirst. Without boot_id, a reboot is assumed if kernel or RAM differ, or if by the clock
/// the later boot can have begun after the first snapshot. A clock that was set by more than two
/// minutes is not taken for a reboot if the snapshots have successive numbers and the uptime grew,
/// or if it was set by less than the uptime at the first snapshot.
SeriesStep step_between(const Header& before, const Header& after);

/// Seconds between two snapshots by the clock; they may be of different boots. Nothing if unknown
/// or not positive.
std::optional<double> clock_seconds(const Header& before, const Header& after);

/// Tracks the snapshots of a series by their headers. The series belongs to the machine of its
/// first snapshot. Snapshots of other machines must be left out; later ones are compared as if
/// these did not exist.
class SeriesOrder {
 public:
  SeriesStep add(const Header& header);

  /// True if the snapshot added last is of another machine.
  bool is_left_out() const { return step_ == SeriesStep::kOtherMachine; }
  /// Seconds by the clock between the last two snapshots that were not left out.
  std::optional<double> gap() const { return gap_; }
  /// Number of snapshots without those left out.
  std::size_t snapshots() const { return snapshots_; }
  std::size_t left_out() const { return left_out_; }
  /// Snapshots that do not continue the one before: of another boot, or not later.
  std::size_t breaks() const { return breaks_; }
  /// Snapshots that are missing between two of one boot, by the collector's numbers.
  std::uint64_t missing() const { return missing_; }
  const std::string& host() const { return last_.host; }
  /// Host of the first snapshot that was left out.
  const std::string& other_host() const { return other_host_; }

 private:
  Header last_;
  SeriesStep step_ = SeriesStep::kFirst;
  std::optional<double> gap_;
  std::size_t snapshots_ = 0;
  std::size_t left_out_ = 0;
  std::size_t breaks_ = 0;
  std::uint64_t missing_ = 0;
  std::string other_host_;
};

}  // namespace physmem
