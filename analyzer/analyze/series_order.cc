// SPDX-License-Identifier: MIT
#include "analyzer/analyze/series_order.h"

namespace physmem {
namespace {

/// Clocks are corrected by some seconds occasionally. Only a larger difference can be a reboot.
constexpr std::uint64_t kClockSlack = 120'000'000'000;  // ns

bool are_different(const std::string& a, const std::string& b) {
  return !a.empty() && !b.empty() && a != b;
}

/// Whether the clock advanced so much more than the uptime that the machine can have been started
/// after `before`.
bool clock_says_reboot(const Header& before, const Header& after) {
  if (!before.time_ns || !after.time_ns || *after.time_ns < *before.time_ns) return false;
  const std::uint64_t passed = *after.time_ns - *before.time_ns;
  const std::uint64_t expected = *after.uptime_ns - *before.uptime_ns;
  return passed > expected && passed - expected > kClockSlack && passed >= *after.uptime_ns;
}

/// Whether the numbers say that one run of a collector took both.
bool follows(const Header& before, const Header& after) {
  return before.sequence && after.sequence && *after.sequence == *before.sequence + 1;
}

bool is_other_boot(const Header& before, const Header& after) {
  if (!before.boot_id.empty() && !after.boot_id.empty()) return before.boot_id != after.boot_id;
  if (before.kernel != after.kernel || before.ram_pages != after.ram_pages) return true;
  if (!before.uptime_ns || !after.uptime_ns) return false;
  if (*after.uptime_ns > *before.uptime_ns)
    return !follows(before, after) && clock_says_reboot(before, after);
  return clock_seconds(before, after).has_value();
}

/// By their sequence numbers. A number that is not higher begins another series.
std::uint64_t missing_between(const Header& before, const Header& after) {
  if (!before.sequence || !after.sequence || *after.sequence <= *before.sequence) return 0;
  return *after.sequence - *before.sequence - 1;
}

}  // namespace

bool is_other_machine(const Header& a, const Header& b) {
  if (!a.machine_id.empty() && !b.machine_id.empty()) return a.machine_id != b.machine_id;
  return are_different(a.host, b.host) || are_different(a.arch, b.arch);
}

SeriesStep step_between(const Header& before, const Header& after) {
  if (is_other_machine(before, after)) return SeriesStep::kOtherMachine;
  if (is_other_boot(before, after)) return SeriesStep::kOtherBoot;
  if (!before.uptime_ns || !after.uptime_ns)
    return before.uptime_ns == after.uptime_ns ? SeriesStep::kNext : SeriesStep::kNotLater;
  return *after.uptime_ns > *before.uptime_ns ? SeriesStep::kNext : SeriesStep::kNotLater;
}

std::optional<double> clock_seconds(const Header& before, const Header& after) {
  if (!before.time_ns || !after.time_ns || *after.time_ns <= *before.time_ns) return {};
  return static_cast<double>(*after.time_ns - *before.time_ns) / 1e9;
}

SeriesStep SeriesOrder::add(const Header& header) {
  step_ = snapshots_ == 0 ? SeriesStep::kFirst : step_between(last_, header);
  if (is_left_out()) {
    if (left_out_++ == 0) other_host_ = header.host;
    return step_;
  }
  ++snapshots_;
  breaks_ += step_ == SeriesStep::kOtherBoot || step_ == SeriesStep::kNotLater ? 1 : 0;
  if (step_ == SeriesStep::kNext) missing_ += missing_between(last_, header);
  gap_ = clock_seconds(last_, header);
  last_ = header;
  return step_;
}

}  // namespace physmem
