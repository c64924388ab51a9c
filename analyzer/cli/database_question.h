// SPDX-License-Identifier: MIT
// --sqlite: all snapshots as a database.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/process/process_sizes.h"
#include "analyzer/analyze/process/unit_totals.h"
#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/ram/page_cache.h"
#include "analyzer/cli/question.h"
#include "analyzer/report/database_writer.h"

namespace physmem {

/// Writes processes and areas as they pass, and the rest of a snapshot at its end. Memory: units,
/// cached files and classes of one snapshot.
class DatabaseFold : public Analysis {
 public:
  /// `view` has the name of the current snapshot.
  explicit DatabaseFold(const View& view);

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_area_end(const Process& process, const Area& area) override;
  void on_process(const Process& process) override;
  void on_zone(const Zone& zone) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;
  void on_end() override;
  bool needs_first_seen() const override { return true; }
  bool needs_unique() const override { return true; }

  DatabaseWriter& writer() { return writer_; }
  const DatabaseWriter& writer() const { return writer_; }

 private:
  /// The analyses of one snapshot.
  struct Parts {
    UnitTotals totals;
    Ledger ledger;
    PageCache cache;
  };

  /// A file that processes map.
  struct Unit {
    std::uint64_t id = 0;
    Name name;
  };

  std::uint64_t unit_id(const RegionMap::Marks& marks);
  void write_areas(const Process& process);
  void write_units();

  const View& view_;
  DatabaseWriter writer_;
  Header header_;
  std::optional<Parts> parts_;
  ProcessSizeCounters sizes_;
  std::unordered_map<UnitKey, Unit, UnitKeyHash> units_;  ///< of the snapshot
  std::uint64_t snapshots_ = 0;
  std::uint64_t processes_ = 0;
  std::uint64_t areas_ = 0;
  std::uint64_t unit_ids_ = 0;
};

class DatabaseQuestion : public Question {
 public:
  explicit DatabaseQuestion(const QuestionContext& context) : fold_(context.view) {}
  Analysis& analysis() override { return fold_; }
  void answer(Printer& printer, const View& view) override;
  std::string failure() const override { return fold_.writer().error(); }

 private:
  DatabaseFold fold_;
};

}  // namespace physmem
