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

/// A snapshot that was read. It is immutable, so several threads may use it; a copy costs a
/// reference count. References and rows are valid as long as one of the copies.
class Snapshot {
 public:
  /// Reads all but the pages of a file: text or compact, compressed or not. Of a series, the first
  /// snapshot (SnapshotInfo::has_more); SeriesReader reads all of them.
  static Snapshot open(const std::filesystem::path& path, const OpenOptions& options = {});

  const std::filesystem::path& path() const;
  const SnapshotInfo& info() const;
  /// In the order of the snapshot.
  const std::vector<ProcessRow>& processes() const;
  /// In the order of processes(), those of a process by address.
  const std::vector<AreaRow>& areas() const;
  /// Largest first.
  const std::vector<UnitRow>& units() const;
  const std::vector<MappingRow>& mappings() const;
  const std::vector<UserRow>& users() const;
  const std::vector<CgroupRow>& cgroups() const;
  /// One row per region.
  const std::vector<RegionRow>& regions() const;
  /// Largest first; empty without SnapshotInfo::has_ram.
  const std::vector<LedgerRow>& ledger() const;
  const std::vector<FrameOwnerRow>& owners() const;
  const std::vector<CounterRow>& counters() const;
  /// What the collector could not read, and what the reader skipped. Empty: nothing.
  const std::vector<CounterRow>& notes() const;

  /// Reads the file again, and passes on its pages. An error if it has changed.
  PageReader pages(const PageOptions& options = {}) const;

 private:
  friend class SeriesReader;
  explicit Snapshot(std::shared_ptr<const SnapshotData> data) : data_(std::move(data)) {}

  std::shared_ptr<const SnapshotData> data_;
};

}  // namespace physmem
