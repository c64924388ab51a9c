// SPDX-License-Identifier: MIT
#include "fleet/load/upload_limits.h"

#include <fmt/format.h>

#include "program/duration.h"

namespace physmem::fleet {
namespace {

/// What a report without rows takes in a store.
constexpr std::uint64_t kReportBytes = 256;

std::uint64_t bytes_of(const Report& report) {
  std::uint64_t bytes = kReportBytes;
  for (const auto& facts : report.facts)
    for (const Fact& fact : facts) {
      for (const std::string& text : fact.texts) bytes += text.size();
      bytes += fact.numbers.size() * sizeof(std::uint64_t);
    }
  return bytes;
}

}  // namespace

Result<std::size_t> LimitedSource::read(char* to, std::size_t size) {
  auto n = inner_->read(to, size);
  if (n) read_ += *n;
  if (!n || read_ <= max_) return n;
  return Error{Error::Kind::kBadInput,
               fmt::format("{}: found more than {} MiB when it is decompressed, expected at most "
                           "that for its size",
                           name_, max_ >> 20)};
}

bool HostQuotas::take(const Report& report, std::uint64_t now) {
  if (const std::uint64_t day = now / kDay; day != day_) {
    day_ = day;
    bytes_.clear();
  }
  std::uint64_t& sum = bytes_[report.snapshot.machine];
  sum += bytes_of(report);
  return sum <= max_bytes_;
}

}  // namespace physmem::fleet
