// SPDX-License-Identifier: MIT
#include "analyzer/cli/metrics_question.h"

#include "analyzer/report/openmetrics.h"
#include "analyzer/shape/memory_metrics.h"

namespace physmem {

std::vector<Analysis*> MetricsQuestion::analyses() {
  OneSnapshot& now = folds_.now;
  return {&folds_,     &now.names,  &now.cgroups, &now.units,    &now.alerts,
          &now.ledger, &now.totals, &now.cost,    &folds_.thrash};
}

void MetricsQuestion::answer(Printer& printer, const View& view) {
  printer.begin_answer(Format::kText);
  const OneSnapshot& now = folds_.now;
  write_openmetrics(memory_metrics({now.names, now.cgroups, now.units, now.alerts, now.ledger,
                                    now.totals, now.cost, folds_.thrash.level()},
                                   view.header, top_),
                    printer.text());
}

}  // namespace physmem
