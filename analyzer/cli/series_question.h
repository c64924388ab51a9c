// SPDX-License-Identifier: MIT
// Questions that take several snapshots: what changed, what leaks.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/snapshot_diff.h"
#include "analyzer/cli/question.h"

namespace physmem {

/// Exactly two snapshots.
class DiffQuestion : public Question {
 public:
  Analysis& analysis() override { return diff_; }
  void answer(Printer& printer, const View& view) override;
  std::vector<std::string> missing() const override;

 private:
  SnapshotDiff diff_;
};

}  // namespace physmem
