// SPDX-License-Identifier: MIT
// One file of reports or of snapshots, by its content.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "analyzer/input/snapshot_files.h"
#include "fleet/load/upload_limits.h"
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
  /// Bytes of a compressed upload that were decoded so far.
  std::uint64_t decoded() const { return limited_ != nullptr ? limited_->bytes() : 0; }
  bool data_is_missing() const { return snapshots_ && snapshots_->data_is_missing(); }

 private:
  ReportInput() = default;

  std::unique_ptr<ByteSource> source_;
  const LimitedSource* limited_ = nullptr;  ///< in source_, of a compressed upload
  std::optional<SnapshotReports> snapshots_;
  std::optional<RowsReader> rows_;
};

}  // namespace physmem::fleet
