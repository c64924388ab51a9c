// SPDX-License-Identifier: MIT
// Makes the rows of a Snapshot from the events of the reader.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/process/summary.h"
#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/parse/snapshot_reader.h"
#include "library/opened_file.h"
#include "library/snapshot_data.h"

namespace physmem {

/// Makes the rows of processes and areas, in the order of other analyses.
class ProcessRows : public Analysis {
 public:
  /// `summary` must be an earlier analysis of the same census.
  ProcessRows(const Summary& summary, SnapshotData& data) : summary_(summary), data_(data) {}

  bool needs_unique() const override { return true; }
  void on_header(const Header& header) override {
    is_raw_ = header.raw_prot;
    page_size_ = header.page_size;
  }
  void on_counters(std::span<const Counter> counters) override;
  void on_process(const Process& process) override;

 private:
  AreaRow row_of(const Process& process, const Area& area);
  std::string_view kept(const std::string& text);

  const Summary& summary_;
  SnapshotData& data_;
  bool is_raw_ = false;
  PageSize page_size_;
  ProcessSizeCounters sizes_;
};

class SnapshotFold {
 public:
  explicit SnapshotFold(const OpenOptions& options);

  Census& census() { return census_; }
  /// Returns the rows. Call it after the snapshot was read.
  std::unique_ptr<SnapshotData> take(const ReadNotes& notes);

 private:
  void set_info(const ReadNotes& notes);
  void set_notes(const ReadNotes& notes);
  void set_units();
  void set_groups();
  void set_regions();
  void set_ram();

  std::unique_ptr<SnapshotData> data_;
  Summary summary_;
  MemoryUses users_{UseGrouping::kUser};
  MemoryUses cgroups_{UseGrouping::kCgroup};
  MemoryUses mappings_{UseGrouping::kUnit};
  Ledger ledger_;
  ProcessRows rows_;
  Census census_;
};

/// Reads the next snapshot of the file. Returns null after the last one.
std::unique_ptr<SnapshotData> read_snapshot(OpenedFile& file, const OpenOptions& options);

}  // namespace physmem
