// SPDX-License-Identifier: MIT
// --ask metrics: the last snapshot for a monitoring system.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/ram/memory_totals.h"
#include "analyzer/analyze/time/collection_cost.h"
#include "analyzer/analyze/time/thrash_series.h"
#include "analyzer/cli/question.h"

namespace physmem {

/// Its answer after each snapshot replaces the one before. Only the thrash level depends on earlier
/// snapshots.
class MetricsQuestion : public Question {
 public:
  static constexpr std::size_t kTop = 20;

  explicit MetricsQuestion(const QuestionContext& context)
      : top_(context.options.use.top.value_or(kTop)) {}

  Analysis& analysis() override { return folds_.thrash; }
  std::vector<Analysis*> analyses() override;
  void answer(Printer& printer, const View& view) override;

 private:
  /// Folds over one snapshot.
  struct OneSnapshot {
    MemoryUses names{UseGrouping::kName};
    MemoryUses cgroups{UseGrouping::kCgroup};
    MemoryUses units{UseGrouping::kUnit};
    Alerts alerts;
    Ledger ledger;
    MemoryTotals totals;
    CollectionCost cost;
  };
  /// Comes before the folds that it resets.
  struct Folds : public Analysis {
    void on_header(const Header&) override { now = {}; }

    OneSnapshot now;
    ThrashSeries thrash;
  };

  std::size_t top_;
  Folds folds_;
};

}  // namespace physmem
