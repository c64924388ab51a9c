// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "paging/parse/trace_form.h"

#include "program/printable.h"

namespace physmem {
namespace {

bool is_record(std::string_view line) {
  return line.size() >= 2 && line[1] == ':' && line[0] >= 'A' && line[0] <= 'Z';
}

class TextTrace : public TraceForm {
 public:
  using TraceForm::TraceForm;

  Result<bool> next(PagingSink& sink) override {
    while (!is_over_) {
      const Result<Step> done = step(sink);
      if (!done) return done.error();
      if (*done == Step::kDelivered) return true;
      is_over_ = *done == Step::kEnd;
    }
    return false;
  }

 private:
  enum class Step { kMore, kDelivered, kEnd };

  Result<Step> step(PagingSink& sink) {
    const auto line = window().peek_line("");
    if (!line) return dropped(line.error());
    if (window().text().size() == line->size()) return end_of_input(line->size(), sink);
    if (!is_record(*line))
      return dropped(problem(
          1, fmt::format("found {}, expected a record: a letter and a colon", in_quotes(*line))));
    return record(*line, sink);
  }

  Result<Step> record(std::string_view line, PagingSink& sink) {
    LineCursor cursor(line, true);
    switch (line[0]) {
      case 'I':
        return event(cursor, PagingKind::kIn, sink);
      case 'O':
        return event(cursor, PagingKind::kOut, sink);
      case 'L': {
        const LostEvents lost = parse_lost_events(cursor);
        if (!cursor.ok()) return flawed(cursor);
        deliver(lost, sink);
        return passed(Step::kDelivered);
      }
      case 'A': {
        const SwapAreaLine area = parse_swap_area(cursor);
        if (!cursor.ok()) return flawed(cursor);
        set_area(area);
        return passed(Step::kMore);
      }
      case 'E':
        return end(cursor, sink);
      case 'H':
        return dropped(problem(1, "found another header, expected one trace in a file"));
      default:
        ++notes().unknown_records;
        return passed(Step::kMore);
    }
  }

  Result<Step> event(LineCursor& cursor, PagingKind kind, PagingSink& sink) {
    const PagingEvent event = parse_paging_event(cursor, kind);
    if (!cursor.ok()) return flawed(cursor);
    deliver(event, sink);
    return passed(Step::kDelivered);
  }

  Result<Step> end(LineCursor& cursor, PagingSink& sink) {
    const TraceTotals stated = parse_trace_totals(cursor);
    if (!cursor.ok()) return flawed(cursor);
    emit_header(sink);
    if (Status status = check(stated, problem(4, "E: ")); !status) return status.error();
    if (Status status = window().skip_line(); !status) return status.error();
    const auto next = window().peek_line("");
    if (next && window().text().empty()) return Step::kEnd;
    if (!next && next.error().kind != Error::Kind::kBadInput) return next.error();
    const std::string found = next ? "found " + in_quotes(*next) : "found a line without end";
    if (Status status = drop(problem(1, found + " after the end of the trace, expected nothing"));
        !status)
      return status.error();
    return Step::kEnd;
  }

  Result<Step> end_of_input(std::size_t rest, PagingSink& sink) {
    emit_header(sink);
    const Error cut =
        !window().damage().empty() ? Error{Error::Kind::kBadInput, window().damage()}
        : rest != 0
            ? problem(rest + 1, "the file ends within a line: it was cut short")
            : problem(
                  1, "the trace ends without its E: record: it was cut short, or is still growing");
    const Result<bool> allowed = cut_short(cut);
    if (!allowed) return allowed.error();
    return Step::kEnd;
  }

  Result<Step> passed(Step step) {
    if (Status status = window().skip_line(); !status) return status.error();
    return step;
  }

  Result<Step> dropped(const Error& error) {
    if (Status status = drop(error); !status) return status.error();
    return passed(Step::kMore);
  }

  Result<Step> flawed(const LineCursor& cursor) {
    return dropped(
        problem(cursor.flaw().column, fmt::format("{}: {}", cursor.line()[0], cursor.flaw().text)));
  }

  bool is_over_ = false;
};

}  // namespace

std::unique_ptr<TraceForm> text_trace(Window& window, bool keep_going, TraceNotes& notes,
                                      const TraceHeader& header) {
  return std::make_unique<TextTrace>(window, keep_going, notes, header);
}

}  // namespace physmem
