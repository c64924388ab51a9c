// SPDX-License-Identifier: MIT
#include "fleet/load/load_run.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "analyzer/input/fleet_progress.h"
#include "analyzer/shape/view.h"
#include "fleet/load/archive.h"
#include "fleet/load/file_watch.h"
#include "fleet/load/folder_turns.h"
#include "fleet/load/follow_log.h"
#include "fleet/load/stored_files.h"
#include "program/clock.h"
#include "program/messages.h"
#include "program/signals.h"

namespace physmem::fleet {
namespace {

constexpr std::chrono::seconds kBetweenScans(5);
/// Uploads that are read between two scans: this many, or fewer if they are large.
constexpr std::size_t kFilesPerScan = 1000;
constexpr std::uint64_t kBytesPerScan = std::uint64_t{1} << 30;  ///< decoded

class LoadRun {
 public:
  LoadRun(Store& store, const LoadSettings& settings, std::ostream& messages, const char* program)
      : settings_(settings),
        messages_(messages),
        program_(program),
        archive_(settings.archive),
        loader_(store, settings.reports, settings.replaces,
                settings.archive.empty() ? nullptr : &archive_,
                [this](const std::string& problem) { report(problem); }) {}

  Status load_once();
  Status follow();
  bool is_incomplete() const {
    const Loaded& loaded = loader_.loaded();
    return loaded.damaged_files != 0 || loaded.expired != 0 || loaded.data_is_missing ||
           has_problems_ || (interrupted() && !settings_.follows);
  }

 private:
  Status add(std::vector<SnapshotFile> files, FileWatch* watch = nullptr);
  Status add(const SnapshotFile& file);
  void keep_expired();
  void report(const std::string& problem);
  void report_problems(const std::vector<std::string>& problems);
  void report_sum();

  const LoadSettings& settings_;
  std::ostream& messages_;
  const char* program_;
  Archive archive_;
  Loader loader_;
  StoredFiles stored_;
  FolderTurns turns_;
  std::optional<FleetProgress> progress_;
  bool has_problems_ = false;
  bool has_more_ = false;  ///< files that the last scan found were not read yet
};

void LoadRun::report(const std::string& problem) {
  if (progress_) progress_->clear();
  physmem::report(messages_, program_, problem);
}

void LoadRun::report_problems(const std::vector<std::string>& problems) {
  has_problems_ = has_problems_ || !problems.empty();
  for (const std::string& problem : problems) report(problem);
}

Status LoadRun::add(const SnapshotFile& file) {
  const std::uint64_t before = loader_.read();
  stored_.begin(file.path);
  const auto is_whole = loader_.add(file, [this] { progress_->show_if_due(); });
  if (!is_whole) return is_whole.error();
  if (*is_whole && settings_.removes) stored_.end(file.path);
  for (std::uint64_t i = before; i < loader_.read(); ++i) progress_->add_snapshot();
  progress_->add_file(file.bytes);
  progress_->show_if_due();
  turns_.take(file);
  return {};
}

/// Whether or not a signal came, what was read is stored. With `watch`, files of hosts that have
/// come since the scan are not kept waiting for long: what is left is for the next scan.
Status LoadRun::add(std::vector<SnapshotFile> files, FileWatch* watch) {
  const bool has_turns = settings_.reports.is_by_folder;
  if (has_turns) files = turns_.in_turns(std::move(files));
  std::uint64_t bytes = 0;
  for (const SnapshotFile& file : files) bytes += file.bytes;
  const std::uint64_t stop = loader_.decoded() + kBytesPerScan;
  progress_.emplace(files.size(), bytes);
  std::size_t done = 0;
  for (; done < files.size() && !interrupted(); ++done) {
    const bool is_long = done == kFilesPerScan || loader_.decoded() >= stop;
    if (has_turns && watch != nullptr && is_long) break;
    if (Status status = add(files[done]); !status) return status;
  }
  has_more_ = done < files.size();
  for (; watch != nullptr && done < files.size(); ++done) watch->forget(files[done]);
  Status status = loader_.finish();
  progress_->clear();
  progress_.reset();
  if (!status) return status;
  keep_expired();
  if (std::string problem = stored_.remove(); !problem.empty())
    return Error{Error::Kind::kIo, std::move(problem)};
  return {};
}

/// The store does not have what these files contain.
void LoadRun::keep_expired() {
  for (const ExpiredFile& file : loader_.take_expired_files()) {
    if (!settings_.removes) continue;  // report_sum() has their number
    stored_.keep(file.path);
    report(fmt::format(
        "{}: found {} of {} at {}, a time of which the store has only sums of days; "
        "left out, and the file stays",
        file.path, counted(file.reports, "snapshot"), file.host, utc_text(file.first_ns)));
  }
}

Status LoadRun::load_once() {
  std::vector<SnapshotFile> files;
  if (settings_.paths == std::vector<std::string>{"-"}) {
    files.push_back({"-"});
  } else {
    auto found = find_snapshot_files(settings_.paths, "");
    if (!found) return found.error();
    report_problems(found->problems);
    files = std::move(found->files);
  }
  if (Status status = add(std::move(files)); !status) return status;
  report_sum();
  return {};
}

Status LoadRun::follow() {
  FileWatch watch(settings_.paths);
  FollowLog log;
  while (!interrupted()) {
    auto found = watch.scan();
    if (!found) return found.error();
    report_problems(found->problems);
    if (Status status = add(std::move(found->files), &watch); !status) return status;
    if (interrupted()) break;
    if (has_more_) continue;
    if (const auto line = log.line(loader_.loaded(), system_clock().now_ns())) report(*line);
    system_clock().wait_for(kBetweenScans, {});
  }
  report_sum();
  return {};
}

void LoadRun::report_sum() {
  const Loaded& loaded = loader_.loaded();
  if (loaded.expired != 0)
    report(counted(loaded.expired, "snapshot") +
           " left out: the store has only sums of days from that time");
  report(fmt::format("{} added, {} known before", counted(loaded.added, "snapshot"), loaded.known));
  if (settings_.archive.empty()) return;
  const Archive::Kept& kept = archive_.kept();
  report(fmt::format("archive: {} copied ({} bytes), {} there before", counted(kept.files, "file"),
                     kept.bytes, kept.known));
}

}  // namespace

Result<bool> load(Store& store, const LoadSettings& settings, std::ostream& messages,
                  const char* program) {
  LoadRun run(store, settings, messages, program);
  Status status = settings.follows ? run.follow() : run.load_once();
  if (!status) return status.error();
  return run.is_incomplete();
}

}  // namespace physmem::fleet
