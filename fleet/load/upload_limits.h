// SPDX-License-Identifier: MIT
// What one upload, and one host in a day, may cost: what hosts send may be hostile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "analyzer/parse/byte_source.h"
#include "fleet/model/report.h"

namespace physmem::fleet {

/// Bytes that a compressed upload may have when it is decoded. The text of a snapshot is up to 300
/// times as large as its compact form, and is read at 80 MB a second or more, whatever its lines
/// are.
constexpr std::uint64_t max_decoded(std::uint64_t bytes) {
  constexpr std::uint64_t kFloor = std::uint64_t{64} << 20, kMax = std::uint64_t{4} << 30;
  constexpr std::uint64_t kRatio = 1000;
  return std::min(kMax, kFloor + kRatio * std::min(bytes, kMax / kRatio));
}

/// Passes on as many bytes as an upload may have; more are an error. Mapped files, which are not
/// decoded, must not be passed through it.
class LimitedSource : public ByteSource {
 public:
  LimitedSource(std::unique_ptr<ByteSource> inner, std::string name, std::uint64_t max)
      : inner_(std::move(inner)), name_(std::move(name)), max_(max) {}

  Result<std::size_t> read(char* to, std::size_t size) override;
  void interrupt() override { inner_->interrupt(); }
  Status state() const override { return inner_->state(); }
  std::uint64_t bytes() const { return read_; }

 private:
  std::unique_ptr<ByteSource> inner_;
  std::string name_;
  std::uint64_t max_;
  std::uint64_t read_ = 0;
};

/// The reports that each host has sent on the current day. Their own times do not matter: the host
/// chooses them.
class HostQuotas {
 public:
  /// `max_bytes`: of texts and numbers, and a fixed number for each report.
  explicit HostQuotas(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}

  /// False if the host has sent too much on the day of `now`, in seconds.
  bool take(const Report& report, std::uint64_t now);

 private:
  std::uint64_t max_bytes_;
  std::uint64_t day_ = 0;
  std::map<std::string, std::uint64_t> bytes_;  ///< by machine
};

}  // namespace physmem::fleet
