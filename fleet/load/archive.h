// SPDX-License-Identifier: MIT
// A folder of kept snapshots: DAY/HOST/TIME-HASH.pmc.zst.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "analyzer/input/snapshot_files.h"
#include "fleet/model/report.h"
#include "program/result.h"

namespace physmem::fleet {

class Archive {
 public:
  explicit Archive(std::string folder);
  ~Archive();

  /// Copies snapshot `number` of the file, counted from 0, unless the archive has it. Of one file,
  /// numbers must grow. Returns its path below the archive, such as
  /// 2026-11-26/web1/20261126T140000Z-0123456789abcdef.pmc.zst. HASH is the beginning of the key,
  /// so a snapshot has one path in all its forms; an uploaded one stays where it is, because its
  /// HOST is from the certificate.
  Result<std::string> keep(const SnapshotFile& file, std::uint64_t number,
                           const SnapshotLine& line);
  /// Removes the files of days that end before this second or with it, and those that arrived
  /// before it: a day may be wrong, as the clock of its host was. What is in no day stays. The
  /// number of files.
  Result<std::uint64_t> expire(std::uint64_t before);

  struct Kept {
    std::uint64_t files = 0, bytes = 0;  ///< that were copied
    std::uint64_t known = 0;             ///< that the archive had
  };
  const Kept& kept() const { return kept_; }

 private:
  class Copies;

  Status copy(const SnapshotFile& file, std::uint64_t number, const std::string& key,
              const std::string& to);

  std::string folder_;
  std::unique_ptr<Copies> copies_;  ///< of the file that was copied last
  Kept kept_;
};

}  // namespace physmem::fleet
