// SPDX-License-Identifier: MIT
// Reports that are written at the end: a table by process, and totals for a monitoring system.
#include <functional>
#include <ostream>
#include <utility>

#include "analyzer/report/openmetrics.h"
#include "analyzer/report/table_writer.h"
#include "paging/fold/paging_totals.h"
#include "paging/shape/paging_metrics.h"
#include "paging/shape/paging_shape.h"
#include "paging/write/export_writers.h"

namespace physmem {
namespace {

class Sums : public TraceWriter {
 public:
  using Write = std::function<void(const PagingTotals&, std::ostream&)>;

  Sums(std::ostream& out, Write write) : out_(out), write_(std::move(write)) {}

  void on_header(const TraceHeader& header) override { totals_.on_header(header); }
  void on_event(const PagingEvent& event) override { totals_.on_event(event); }
  void on_lost(const LostEvents& lost) override { totals_.on_lost(lost); }
  void end() override { write_(totals_, out_); }
  void flush() override {}

 private:
  std::ostream& out_;
  Write write_;
  PagingTotals totals_;
};

void write_as_openmetrics(const PagingTotals& totals, std::ostream& out) {
  write_openmetrics(paging_metrics(totals), out);
}

void write_for_prometheus(const PagingTotals& totals, std::ostream& out) {
  write_prometheus(paging_metrics(totals), out);
}

}  // namespace

std::unique_ptr<TraceWriter> openmetrics_writer(std::ostream& out) {
  return std::make_unique<Sums>(out, write_as_openmetrics);
}

std::unique_ptr<TraceWriter> prometheus_writer(std::ostream& out) {
  return std::make_unique<Sums>(out, write_for_prometheus);
}

std::unique_ptr<TraceWriter> summary_writer(std::ostream& out, std::size_t columns) {
  return std::make_unique<Sums>(out, [columns](const PagingTotals& totals, std::ostream& to) {
    text_table_writer(to, columns)->write(paging_summary(totals));
  });
}

}  // namespace physmem
