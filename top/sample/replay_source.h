// SPDX-License-Identifier: MIT
// Reads a series of snapshots: a recording, or any other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "top/model/history.h"
#include "top/sample/source.h"

namespace physmem::top {

class ReplaySource final : public RoundSource {
 public:
  explicit ReplaySource(std::string path) : path_(std::move(path)) {}

  /// Reads all snapshots of the file. If one of them is damaged, those before it are kept.
  /// `problem()` says so, and whether data is missing from others.
  Result<History> read();
  const std::string& problem() const { return problem_; }
  /// Whether the snapshots were taken on this machine, so that it knows their users.
  bool is_of_this_machine() const { return is_of_this_machine_; }

  /// Reads the file again, up to the snapshot of the round.
  void request_details(std::uint64_t pid, std::uint64_t round) override;
  std::shared_ptr<const Details> details() override { return details_; }
  std::string no_details() const override;

 private:
  std::string path_;
  std::string problem_;
  bool has_areas_ = false;
  bool is_of_this_machine_ = false;
  std::string details_problem_;
  std::shared_ptr<const Details> details_;
};

}  // namespace physmem::top
