// SPDX-License-Identifier: MIT
// What --verify compares: the ledger with the kernel's totals, page tables with counts of frames.
#pragma once

#include "analyzer/analyze/ledger.h"
#include "analyzer/analyze/mapping_join.h"
#include "analyzer/analyze/ram_witness.h"

namespace physmem {

class Verification : public Analysis {
 public:
  void on_header(const Header& header) override {
    ledger_.on_header(header);
    join_.on_header(header);
  }
  void on_counters(std::span<const Counter> counters) override {
    ledger_.on_counters(counters);
    join_.on_counters(counters);
  }
  void on_task(const Task& task) override {
    ledger_.on_task(task);
    join_.on_task(task);
  }
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override {
    join_.on_pages(process, area, runs);
  }
  void on_zone(const Zone& zone) override { ledger_.on_zone(zone); }
  void on_owner(const RamOwner& owner) override { ledger_.on_owner(owner); }
  void on_ram(const RamRun& run) override {
    ledger_.on_ram(run);
    join_.on_ram(run);
  }
  void on_end() override { join_.on_end(); }

  const Ledger& ledger() const { return ledger_; }
  const MappingJoin& join() const { return join_; }
  /// All comparisons. Empty without R: lines.
  std::vector<RamVerdict> verdicts() const {
    std::vector<RamVerdict> verdicts = ram_verdicts(ledger_);
    if (ledger_.is_known()) verdicts.push_back(mapping_verdict(join_));
    return verdicts;
  }

 private:
  Ledger ledger_;
  MappingJoin join_;
};

}  // namespace physmem
