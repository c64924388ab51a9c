// SPDX-License-Identifier: MIT
// Files → reports → batches → store.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/input/snapshot_files.h"
#include "fleet/load/archive.h"
#include "fleet/load/report_input.h"
#include "fleet/load/upload_limits.h"
#include "fleet/rows/snapshot_reports.h"
#include "fleet/store/store.h"

namespace physmem::fleet {

struct Loaded {
  std::uint64_t added = 0;
  std::uint64_t known = 0;    ///< skipped, because the store has them
  std::uint64_t expired = 0;  ///< left out, because their days have only sums
  std::uint64_t damaged_files = 0;
  std::uint64_t latest_ns = 0;  ///< latest time of a snapshot
  bool data_is_missing = false;
};

/// A file with reports that are in days of which the store has only sums.
struct ExpiredFile {
  std::string path;
  std::string host;  ///< of the first of these reports
  std::uint64_t first_ns = 0;
  std::uint64_t reports = 0;
};

class Loader {
 public:
  /// The store gets at most this many reports, or rows, at once.
  static constexpr std::size_t kBatch = 200;
  static constexpr std::size_t kBatchRows = 50'000;

  using TakeProblem = std::function<void(const std::string&)>;

  /// `archive`: keeps the snapshots, which must be files; nullptr: they are not kept.
  Loader(Store& store, const ReportSettings& settings, bool replaces, Archive* archive,
         TakeProblem problem)
      : store_(store),
        settings_(settings),
        replaces_(replaces),
        archive_(archive),
        problem_(std::move(problem)),
        quotas_(settings.max_day_bytes) {}

  /// An error of the store ends the loading; damaged files are reported and left out. Whether the
  /// file was read to its end without a problem.
  Result<bool> add(
      const SnapshotFile& file, const std::function<void()>& after_each = [] {});
  /// Stores what was not stored yet.
  Status finish();
  const Loaded& loaded() const { return loaded_; }
  /// Those that were found since the last call. After finish() it has all files that were added.
  std::vector<ExpiredFile> take_expired_files() { return std::exchange(expired_files_, {}); }
  /// Bytes of compressed uploads.
  std::uint64_t decoded() const { return decoded_; }
  /// Reports that were read, stored or not.
  std::uint64_t read() const { return read_; }

 private:
  Status add(Report report, const std::string& path);
  Result<std::unique_ptr<ReportInput>> open(const SnapshotFile& file);
  Status take_folder(const SnapshotFile& file, SnapshotLine& line) const;
  Status check(const SnapshotFile& file, std::uint64_t number, Report& report);
  Status add_batch();
  Status flush();
  Status leave_out_known();
  Status leave_out_expired();
  void add_expired(const std::string& path, const SnapshotLine& line);
  template <class Leave>
  std::uint64_t leave_out_of_batch(const Leave& leave);
  void lose(const std::string& problem, std::uint64_t before);
  void leave_out(const std::string& problem);
  std::string above_quota(const SnapshotFile& file, const SnapshotLine& line) const;

  Store& store_;
  const ReportSettings& settings_;
  bool replaces_;
  Archive* archive_;
  TakeProblem problem_;
  OpenAlerts alerts_;
  HostQuotas quotas_;  ///< of uploads
  std::vector<Report> batch_;
  std::vector<std::string> paths_;  ///< of the files of batch_
  std::vector<ExpiredFile> expired_files_;
  std::size_t rows_ = 0;                         ///< of batch_
  std::optional<std::uint64_t> expired_before_;  ///< of the store; nothing: it must be asked
  std::uint64_t oldest_ns_ = 0;  ///< when the first report came that may not be stored yet; 0: none
  std::uint64_t read_ = 0;
  std::uint64_t decoded_ = 0;
  Loaded loaded_;
};

}  // namespace physmem::fleet
