// SPDX-License-Identifier: MIT
// The two line-based forms: physmem's text form and the paper's lines.
#include <utility>

#include "paging/model/paging_record.h"
#include "paging/write/area_changes.h"
#include "paging/write/line_output.h"
#include "paging/write/trace_writer.h"

namespace physmem {
namespace {

class TextWriter : public TraceWriter {
 public:
  explicit TextWriter(std::ostream& out) : out_(out) {}

  void on_header(const TraceHeader& header) override {
    header_ = header;
    header_is_new_ = true;
  }
  void on_event(const PagingEvent& event) override {
    write_header();
    const pm_paging_record record = record_of(event);
    ++(event.kind == PagingKind::kIn ? end_.ins : end_.outs);
    pm_emit_trace_record(out_.get(), &record);
  }
  void on_lost(const LostEvents& lost) override {
    write_header();
    const pm_paging_record record = record_of(lost);
    end_.lost += lost.count;
    pm_emit_trace_record(out_.get(), &record);
  }
  void end() override {
    write_header();
    pm_emit_trace_end(out_.get(), &end_);
    out_.flush();
  }
  void flush() override {
    write_header();
    out_.flush();
  }

 private:
  /// Batches area changes, because readers treat all changes between two events as one.
  void write_header() {
    if (!std::exchange(header_is_new_, false)) return;
    const pm_trace_header emitted = emitted_header(header_, nullptr);
    if (!std::exchange(has_header_, true)) pm_emit_trace_header(out_.get(), &emitted);
    for (const pm_trace_area& area : area_changes(areas_, header_.swap_areas))
      pm_emit_trace_area(out_.get(), &area);
    areas_ = header_.swap_areas;
  }

  LineOutput out_;
  TraceHeader header_;
  bool header_is_new_ = false;
  bool has_header_ = false;
  std::vector<SwapArea> areas_;  // that were written
  pm_trace_end end_{};
};

/// Whether the paper's kernel, which hooked faults and writes, would have logged the event, and all
/// fields of its line are known.
bool is_actual(const PagingEvent& event) {
  if (!event.has(PM_PAGING_IO) || !event.pfn || !event.sector) return false;
  if (event.kind == PagingKind::kOut) return true;
  return event.pid && event.address && !event.has(PM_PAGING_READAHEAD) &&
         !event.has(PM_PAGING_NO_FAULT);
}

class PaperWriter : public TraceWriter {
 public:
  PaperWriter(std::ostream& out, PaperLines which) : out_(out), which_(which) {}

  void on_header(const TraceHeader& header) override { wall_offset_ns_ = header.wall_offset_ns; }
  void on_event(const PagingEvent& event) override {
    if (which_ == PaperLines::kActual && !is_actual(event)) {
      ++left_out_;
      return;
    }
    const pm_paging_record record = record_of(event);
    if (event.kind == PagingKind::kIn) ++ins_;
    pm_emit_paper_line(out_.get(), &record, ins_, wall_offset_ns_);
  }
  void on_lost(const LostEvents& /*lost*/) override {}
  void end() override { flush(); }
  void flush() override { out_.flush(); }
  std::uint64_t left_out() const override { return left_out_; }

 private:
  LineOutput out_;
  PaperLines which_;
  std::int64_t wall_offset_ns_ = 0;
  std::uint64_t ins_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace

std::unique_ptr<TraceWriter> text_trace_writer(std::ostream& out) {
  return std::make_unique<TextWriter>(out);
}

std::unique_ptr<TraceWriter> paper_trace_writer(std::ostream& out, PaperLines which) {
  return std::make_unique<PaperWriter>(out, which);
}

}  // namespace physmem
