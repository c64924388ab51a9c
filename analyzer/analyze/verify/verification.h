// SPDX-License-Identifier: MIT
// What --ask verify compares: the ledger with the kernel's totals, page tables with counts of
// frames, cgroups and processes with what the kernel counts for each.
#pragma once

#include <array>
#include <vector>

#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/verify/cgroup_witness.h"
#include "analyzer/analyze/verify/mapping_join.h"
#include "analyzer/analyze/verify/mapping_witness.h"
#include "analyzer/analyze/verify/process_witness.h"
#include "analyzer/analyze/verify/ram_witness.h"

namespace physmem {

class Verification : public Analysis {
 public:
  void on_header(const Header& header) override {
    for (Analysis* const part : parts()) part->on_header(header);
  }
  void on_counters(std::span<const Counter> counters) override {
    for (Analysis* const part : parts()) part->on_counters(counters);
  }
  void on_task(const Task& task) override {
    for (Analysis* const part : parts()) part->on_task(task);
  }
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override {
    for (Analysis* const part : parts()) part->on_pages(process, area, runs);
  }
  void on_process(const Process& process) override {
    for (Analysis* const part : parts()) part->on_process(process);
  }
  void on_zone(const Zone& zone) override {
    for (Analysis* const part : parts()) part->on_zone(zone);
  }
  void on_owner(const RamOwner& owner) override {
    for (Analysis* const part : parts()) part->on_owner(owner);
  }
  void on_ram(const RamRun& run) override {
    for (Analysis* const part : parts()) part->on_ram(run);
  }
  void on_end() override {
    for (Analysis* const part : parts()) part->on_end();
  }

  const Ledger& ledger() const { return ledger_; }
  const MappingJoin& join() const { return join_; }
  /// All comparisons that the snapshot allows.
  std::vector<RamVerdict> verdicts() const {
    std::vector<RamVerdict> verdicts = ram_verdicts(ledger_);
    if (ledger_.has_runs() && groups_.is_known())
      verdicts.push_back(groups_.verdict({ledger_.churn(), ledger_.migrated()}));
    if (processes_.is_known()) {
      verdicts.push_back(processes_.resident());
      verdicts.push_back(processes_.proportional());
    }
    if (ledger_.is_known()) verdicts.push_back(mapping_verdict(join_, ledger_));
    return verdicts;
  }

 private:
  std::array<Analysis*, 4> parts() { return {&ledger_, &groups_, &processes_, &join_}; }

  Ledger ledger_;
  CgroupWitness groups_;
  ProcessWitness processes_;
  MappingJoin join_;
};

}  // namespace physmem
