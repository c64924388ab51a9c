// SPDX-License-Identifier: MIT
// The data of a Snapshot, which all its copies share.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

#include "physmem/info.h"
#include "physmem/options.h"
#include "physmem/rows.h"

namespace physmem {

/// A file that differs in one of these has changed.
struct FileState {
  bool is_regular = false;
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t modified_ns = 0;
  bool operator==(const FileState&) const = default;
};

struct SnapshotData {
  std::filesystem::path path;
  FileState file;
  std::size_t number = 1;  ///< in its file, from 1
  OpenOptions options;

  SnapshotInfo info;
  std::vector<ProcessRow> processes;
  std::vector<AreaRow> areas;
  std::vector<UnitRow> units;
  std::vector<MappingRow> mappings;
  std::vector<UserRow> users;
  std::vector<CgroupRow> cgroups;
  std::vector<RegionRow> regions;
  std::vector<LedgerRow> ledger;
  std::vector<FrameOwnerRow> owners;
  std::vector<CounterRow> counters;
  std::vector<CounterRow> notes;
  std::unordered_set<std::string> texts;  ///< strings that areas refer to
};

}  // namespace physmem
