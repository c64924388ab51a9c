// SPDX-License-Identifier: MIT
#include "top/model/history.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace physmem::top {
namespace {

std::size_t bytes_of(const Round& round) {
  std::size_t bytes = sizeof(Round) + round.processes.size() * sizeof(ProcessPointer);
  // The reference count and the allocation take about two words each.
  for (const ProcessPointer& process : round.processes)
    if (process.use_count() <= 2) bytes += sizeof(ProcessState) + 4 * sizeof(void*);
  return bytes;
}

}  // namespace

HistoryLimits HistoryLimits::none() {
  constexpr auto kNever = std::numeric_limits<std::uint64_t>::max();
  return {kNever, kNever, 0, std::numeric_limits<std::size_t>::max()};
}

void History::add(Round round) {
  const std::size_t bytes = bytes_of(round);
  bytes_ += bytes;
  rounds_.push_back({next_number_++, bytes, std::move(round)});
  thin();
  const std::uint64_t now = latest().uptime_ns;
  while (rounds_.size() > 1 &&
         (bytes_ > limits_.max_bytes ||
          (now > limits_.max_age_ns && rounds_.front().round.uptime_ns < now - limits_.max_age_ns)))
    drop(0);
}

void History::drop(std::size_t index) {
  bytes_ -= rounds_[index].bytes;
  rounds_.erase(rounds_.begin() + static_cast<std::ptrdiff_t>(index));
}

/// Removes rounds that have become older than dense_ns and follow a kept one too closely.
void History::thin() {
  const std::uint64_t now = latest().uptime_ns;
  if (now < limits_.dense_ns) return;
  const std::uint64_t dense_from = now - limits_.dense_ns;
  std::size_t i = static_cast<std::size_t>(std::partition_point(rounds_.begin(), rounds_.end(),
                                                                [this](const Entry& entry) {
                                                                  return entry.round.uptime_ns <
                                                                         thinned_until_ns_;
                                                                }) -
                                           rounds_.begin());
  while (i < rounds_.size() && rounds_[i].round.uptime_ns < dense_from) {
    const std::uint64_t at = rounds_[i].round.uptime_ns;
    if (i != 0 && at - rounds_[i - 1].round.uptime_ns < limits_.sparse_ns)
      drop(i);
    else
      ++i;
  }
  thinned_until_ns_ = dense_from;
}

std::size_t History::index_of(std::uint64_t number) const {
  const auto found = std::partition_point(
      rounds_.begin(), rounds_.end(), [=](const Entry& entry) { return entry.number < number; });
  const auto index = static_cast<std::size_t>(found - rounds_.begin());
  return std::min(index, rounds_.empty() ? 0 : rounds_.size() - 1);
}

}  // namespace physmem::top
