// SPDX-License-Identifier: MIT
// Sums that are too large (fleet/model/limits.h), and the machines that have them. A machine can
// report the largest sizes any number of times; all others must keep their answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fleet/ask/asked.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// Store::ask(), which ends with Error::Kind::kTooLarge at a sum that is too large. Rows of kTrend
/// of some days can be left out.
Status ask_sums(Store& store, Question question, const Selection& selection,
                const Store::TakeRow& take, const std::set<std::uint64_t>& left_out_days = {});
/// The error of ask_sums(), for sums of its rows.
Error too_large_sum();

struct LargeSums {
  static constexpr std::size_t kLargest = 3;

  /// Machines whose own sums are too large, and their hosts (HostLabels).
  std::map<std::string, std::string> machines = {};
  bool has_ids = false;  ///< some of these labels have a machine id
  /// The time in which `remove` takes what spoils the answer; the labels are for this time.
  std::optional<std::uint64_t> since = {}, until = {};
  /// Of a trend: the days whose sums over all machines are too large.
  std::set<std::uint64_t> days = {};
  /// Hosts that have the largest sums, with these: "web1 (1152.0 PiB)".
  std::vector<std::string> largest = {};
};

/// Of the sums that the question needs. `expired`: Store::expired_before().
Result<LargeSums> find_large_sums(Store& store, std::uint64_t expired, const Asked& asked);

}  // namespace physmem::fleet
