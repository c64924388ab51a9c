// SPDX-License-Identifier: MIT
// The kernel's own memory: how much of RAM each use has, and whose it is.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/model/frame_classes.h"

namespace physmem {

struct KernelRow {
  KernelKind kind = KernelKind::kUnknown;
  std::uint64_t framed = 0;     ///< pages whose frames have one of its classes
  std::uint64_t explained = 0;  ///< unmarked pages that are of it by the kernel's totals
  std::uint64_t owned = 0;      ///< of the framed pages, those with a known owner
  std::size_t owners = 0;

  std::uint64_t pages() const { return framed + explained; }
};

struct KernelOwner {
  RamOwner owner;
  std::uint64_t pages = 0;
};

/// The page tables of a process, as the kernel counts them.
struct PageTableUse {
  std::uint64_t pid = 0;
  std::string comm;
  std::uint64_t kib = 0;
};

/// Runs of consecutive frames of unknown use, by their length: from `pages` on, below twice that.
struct ResidueRuns {
  std::uint64_t pages = 0;
  std::uint64_t runs = 0;
  std::uint64_t frames = 0;
};

class KernelUse : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_zone(const Zone& zone) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;

  const Ledger& ledger() const { return ledger_; }
  /// Uses that have pages, the largest first; kUnknown is the last. Together with the pages of
  /// other classes and the free ones among the unmarked they are all frames of the ledger.
  std::vector<KernelRow> rows() const;
  /// Owners of the frames of a use, the largest first.
  std::vector<KernelOwner> owners(KernelKind kind) const;
  /// Pages of vmalloc by function. If frames have no owner, those that the kernel counts, without
  /// the stacks of tasks.
  std::vector<KernelOwner> vmalloc() const;
  /// The largest first.
  std::vector<PageTableUse> page_tables() const;
  /// Frames of the classes unmarked and unknown: what totals explain is among them.
  std::vector<ResidueRuns> residue_runs() const;

 private:
  Ledger ledger_;
  std::array<std::unordered_map<std::uint64_t, std::uint64_t>, kKernelKinds> pages_;  ///< by owner
  std::map<std::uint64_t, PageTableUse> page_tables_;
  struct Residue {
    std::uint64_t begin = 0, end = 0;    ///< of the last run, which may go on; equal: none
    std::array<ResidueRuns, 64> runs{};  ///< by the logarithm of their length

    void end_run();
  };
  Residue residue_;
};

}  // namespace physmem
