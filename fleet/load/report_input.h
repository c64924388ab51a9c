// SPDX-License-Identifier: MIT
// One file of reports or of snapshots, by its content.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "analyzer/cli/snapshot_files.h"
#include "fleet/rows/rows_text.h"
#include "fleet/rows/snapshot_reports.h"

namespace physmem::fleet {

class ReportInput {
 public:
  static Result<std::unique_ptr<ReportInput>> open(const SnapshotFile& file,
                                                   const ReportSettings& settings,
                                                   OpenAlerts& alerts);

  Result<std::optional<Report>> next() { return snapshots_ ? snapshots_->next() : rows_->next(); }
  bool has_snapshots() const { return snapshots_.has_value(); }
  bool data_is_missing() const { return snapshots_ && snapshots_->data_is_missing(); }

 private:
  ReportInput() = default;

  std::unique_ptr<ByteSource> source_;
  std::optional<SnapshotReports> snapshots_;
  std::optional<RowsReader> rows_;
};

}  // namespace physmem::fleet
