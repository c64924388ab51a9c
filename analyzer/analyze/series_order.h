// SPDX-License-Identifier: MIT
// Which snapshots of a series may be compared: those of one machine and one boot, in order of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/model/header.h"

namespace physmem {

enum class SeriesStep {
  kFirst,      ///< no snapshot before it
  kNext,       ///< of the same boot, and later; also if neither has an uptime (version 1)
  kNotLater,   ///< of the same boot, but not later than the one before it
  kOtherBoot,  ///< the machine was restarted in between
  kOtherMachine,
};

/// By machine_id, else by host; without both by architecture.
bool is_other_machine(const Header& a, const Header& b);

/// Never kFirst. Without boot_id a reboot is assumed if kernel or RAM differ, or if the clock says
/// that the later boot can have begun after the first snapshot. A clock that was set by more than
/// two minutes but less than the uptime at the first snapshot is recognized as such.
SeriesStep step_between(const Header& before, const Header& after);

/// Seconds between two snapshots by the clock, which need not be of one boot. Empty if it is not
/// known or not positive.
std::optional<double> clock_seconds(const Header& before, const Header& after);

/// The snapshots of a series, by their headers. The machine of the first one is the machine of the
/// series: snapshots of others are to be left out, and what follows is compared as if they were not
/// there.
class SeriesOrder {
 public:
  SeriesStep add(const Header& header);

  /// The snapshot that was added last is of another machine.
  bool is_left_out() const { return step_ == SeriesStep::kOtherMachine; }
  /// By the clock, between the last two snapshots that were not left out, s.
  std::optional<double> gap() const { return gap_; }
  /// Snapshots, without those left out.
  std::size_t snapshots() const { return snapshots_; }
  std::size_t left_out() const { return left_out_; }
  /// Snapshots that do not follow the one before: of another boot, or not later.
  std::size_t breaks() const { return breaks_; }
  /// Snapshots that a collector numbered and that are not there, between two of one boot.
  std::uint64_t missing() const { return missing_; }
  const std::string& host() const { return last_.host; }
  /// Of the first snapshot that was left out.
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
