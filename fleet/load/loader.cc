// SPDX-License-Identifier: MIT
#include "fleet/load/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "analyzer/shape/view.h"
#include "fleet/load/folder_turns.h"
#include "fleet/model/wall_clock.h"
#include "fleet/rows/name_text.h"
#include "program/clock.h"
#include "program/duration.h"
#include "program/errors.h"
#include "program/memory_limit.h"
#include "program/signals.h"

namespace physmem::fleet {

Result<bool> Loader::add(const SnapshotFile& file, const std::function<void()>& after_each) {
  std::uint64_t before = 0;
  bool is_whole = false;
  const std::uint64_t damaged = loaded_.damaged_files;
  try {
    const auto input = open(file);
    for (std::uint64_t number = 0; input && !interrupted(); ++number) {
      auto report = (*input)->next();
      if (!report) {
        lose(report.error().text, before);
        break;
      }
      is_whole = !*report;
      if (is_whole) break;
      if (const Status fit = check(file, number, **report); !fit) {
        if (fit.error().kind != Error::Kind::kBadInput) return fit.error();  // of the archive
        leave_out(fit.error().text);
        continue;
      }
      if (settings_.is_by_folder && !quotas_.take(**report, system_clock().now_ns() / kSecondNs)) {
        lose(above_quota(file, (*report)->snapshot), before);
        break;
      }
      ++before;
      if (Status status = add(std::move(**report), file.path); !status) return status.error();
      after_each();
    }
    if (!input) lose(input.error().text, before);
    if (input) decoded_ += (*input)->decoded();
    if (input) loaded_.data_is_missing = loaded_.data_is_missing || (*input)->data_is_missing();
  } catch (const std::bad_alloc&) {
    lose(memory_refusal(file.path + ": reading it", "allow more"), before);
  }
  return is_whole && damaged == loaded_.damaged_files;
}

std::string Loader::above_quota(const SnapshotFile& file, const SnapshotLine& line) const {
  return fmt::format(
      "{}: found more than {} MiB of reports that {} sent today, expected at most that", file.path,
      settings_.max_day_bytes >> 20, line.host);
}

Result<std::unique_ptr<ReportInput>> Loader::open(const SnapshotFile& file) {
  auto input = ReportInput::open(file, settings_, alerts_);
  if (input && archive_ != nullptr && !(*input)->has_snapshots())
    return bad_input(file.path + ": has reports, expected snapshots");
  return input;
}

void Loader::lose(const std::string& problem, std::uint64_t before) {
  if (before == 0) return leave_out(problem);
  ++loaded_.damaged_files;
  problem_(
      fmt::format("{}; the {} before that {} kept", problem, before, before == 1 ? "is" : "are"));
}

void Loader::leave_out(const std::string& problem) {
  ++loaded_.damaged_files;
  problem_(problem + "; left out");
}

/// nginx names the folder after the certificate, so a host can neither report for another one nor
/// be shown with its name.
Status Loader::take_folder(const SnapshotFile& file, SnapshotLine& line) const {
  const std::string folder = escaped_name(folder_of(file));
  if (folder.empty())
    return bad_input(file.path + ": is in no folder of a host, which --by-folder expects");
  line.machine = "name:" + folder;
  line.host = folder;
  const bool is_own = std::count(line.archive.begin(), line.archive.end(), '/') == 2 &&
                      line.archive.find("/" + folder + "/") == line.archive.find('/');
  if (!is_own || line.archive.starts_with('.')) line.archive.clear();
  return {};
}

/// A clock that is wrong on one machine must not end the loading of all others.
Status Loader::check(const SnapshotFile& file, std::uint64_t number, Report& report) {
  SnapshotLine& line = report.snapshot;
  const std::uint64_t last = std::min(seconds_now() + kMaxAhead, kMaxSecond);
  if (line.second() > last)
    return bad_input(fmt::format("{}: found a snapshot of {} at {}, expected a time up to {}",
                                 file.path, line.host, utc_text(line.time_ns),
                                 utc_text(last * kSecondNs)));
  if (settings_.is_by_folder)
    if (Status status = take_folder(file, line); !status) return status;
  if (archive_ == nullptr) return {};
  // The snapshot is there before the store names it.
  const auto place = archive_->keep(file, number, line);
  if (!place) return place.error();
  line.archive = escaped_name(*place);
  return {};
}

/// Reports that come seldom, from standard input, do not wait for a full batch.
Status Loader::add(Report report, const std::string& path) {
  constexpr std::uint64_t kMaxWait = 10'000'000'000;  // ns
  ++read_;
  loaded_.latest_ns = std::max(loaded_.latest_ns, report.snapshot.time_ns);
  const std::uint64_t now = system_clock().now_ns();
  if (oldest_ns_ == 0) oldest_ns_ = now;
  for (const auto& facts : report.facts) rows_ += facts.size();
  batch_.push_back(std::move(report));
  paths_.push_back(path);
  if (now - oldest_ns_ > kMaxWait) return finish();
  return batch_.size() < kBatch && rows_ < kBatchRows ? Status() : add_batch();
}

Status Loader::finish() {
  if (Status status = add_batch(); !status) return status;
  return flush();
}

Status Loader::flush() {
  const auto left_out = store_.flush(!replaces_);
  if (!left_out) return left_out.error();
  loaded_.added -= *left_out;
  loaded_.known += *left_out;
  expired_before_.reset();
  oldest_ns_ = 0;
  return {};
}

Status Loader::add_batch() {
  if (batch_.empty()) return {};
  if (Status status = leave_out_expired(); !status) return status;
  // A known snapshot that is in the archive now must be named, even by a store that leaves out
  // known ones itself.
  if (!replaces_ && (archive_ != nullptr || !store_.keeps_reports()))
    if (Status status = leave_out_known(); !status) return status;
  if (!batch_.empty())
    if (Status status = store_.add(batch_); !status) return status;
  loaded_.added += batch_.size();
  batch_.clear();
  paths_.clear();
  rows_ = 0;
  return store_.keeps_reports() && !store_.is_full() ? Status() : flush();
}

/// `leave` gets the snapshot of each report and its file. The number of reports that were left out.
template <class Leave>
std::uint64_t Loader::leave_out_of_batch(const Leave& leave) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    if (leave(batch_[i].snapshot, paths_[i])) continue;
    if (kept != i) {
      batch_[kept] = std::move(batch_[i]);
      paths_[kept] = std::move(paths_[i]);
    }
    ++kept;
  }
  const std::uint64_t left_out = batch_.size() - kept;
  batch_.resize(kept);
  paths_.resize(kept);
  return left_out;
}

Status Loader::leave_out_known() {
  std::vector<std::string> keys;
  for (const Report& report : batch_) keys.push_back(report.snapshot.key);
  auto known = store_.known(keys);
  if (!known) return known.error();
  std::vector<KeptSnapshot> kept;
  loaded_.known += leave_out_of_batch([&](const SnapshotLine& line, const std::string&) {
    // A snapshot that is twice in the batch is known the second time.
    const bool is_known = !known->insert(line.key).second;
    if (is_known && archive_ != nullptr) kept.push_back({line.key, line.archive});
    return is_known;
  });
  return kept.empty() ? Status() : store_.set_kept(kept);
}

Status Loader::leave_out_expired() {
  if (!expired_before_) {
    const auto before = store_.expired_before();
    if (!before) return before.error();
    expired_before_ = *before;
  }
  loaded_.expired += leave_out_of_batch([&](const SnapshotLine& line, const std::string& path) {
    const bool is_expired = line.second() < *expired_before_;
    if (is_expired) add_expired(path, line);
    return is_expired;
  });
  return {};
}

void Loader::add_expired(const std::string& path, const SnapshotLine& line) {
  if (expired_files_.empty() || expired_files_.back().path != path)
    expired_files_.push_back({path, line.host, line.time_ns});
  ++expired_files_.back().reports;
}

}  // namespace physmem::fleet
