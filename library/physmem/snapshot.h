// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "physmem/info.h"
#include "physmem/options.h"
#include "physmem/pages.h"
#include "physmem/rows.h"

namespace physmem {

struct SnapshotData;
class SeriesReader;

/// A snapshot that was read. It is immutable, so several threads may use it. A copy costs a
/// reference count. References and rows are valid as long as one of the copies exists.
class Snapshot {
 public:
  /// Reads a file except its pages. The file is text or compact, compressed or not. If it has
  /// several snapshots (SnapshotInfo::has_more), this reads the first; SeriesReader reads all.
  /// Throws std::invalid_argument if an option is out of its range.
  static Snapshot open(const std::filesystem::path& path, const OpenOptions& options = {});

  const std::filesystem::path& path() const;
  const SnapshotInfo& info() const;
  /// Processes are in the order of the file. There are none in a snapshot with only tasks and
  /// counters (`physmem-collect --tasks-only`), because it has no sizes of processes.
  const std::vector<ProcessRow>& processes() const;
  /// VMAs are in the order of processes(), and by address within a process.
  const std::vector<AreaRow>& areas() const;
  /// Units, mappings, users and cgroups: the largest is first.
  const std::vector<UnitRow>& units() const;
  const std::vector<MappingRow>& mappings() const;
  const std::vector<UserRow>& users() const;
  const std::vector<CgroupRow>& cgroups() const;
  /// There is one row per region.
  const std::vector<RegionRow>& regions() const;
  /// Classes of frames, and their owners: the largest is first. Empty without
  /// SnapshotInfo::has_ram.
  const std::vector<LedgerRow>& ledger() const;
  const std::vector<FrameOwnerRow>& owners() const;
  const std::vector<CounterRow>& counters() const;
  /// What the collector could not read, and what the reader skipped. Each note is a name and how
  /// often it occurred; docs/library.md lists the names. Empty: nothing is missing.
  const std::vector<CounterRow>& notes() const;

  /// Reads the pages of the file, which must be a regular file. PageReader::next() throws
  /// SnapshotError if the file has changed since it was opened. Throws std::invalid_argument if an
  /// option is out of its range.
  PageReader pages(const PageOptions& options = {}) const;

 private:
  friend class SeriesReader;
  explicit Snapshot(std::shared_ptr<const SnapshotData> data) : data_(std::move(data)) {}

  std::shared_ptr<const SnapshotData> data_;
};

}  // namespace physmem
