// SPDX-License-Identifier: MIT
#include "paging/parse/trace_reader.h"

#include <fmt/format.h>

#include <utility>

#include "analyzer/parse/input_kind.h"
#include "paging/parse/trace_form.h"

namespace physmem {

TraceReader::TraceReader(ByteSource& source, std::string name, Options options)
    : window_(source, std::move(name), {options.keep_going, false}), options_(options) {}

TraceReader::~TraceReader() = default;

/// Detects the form of the trace from its first line.
Status TraceReader::begin() {
  const auto line = window_.peek_line("");
  if (!line && line.error().kind != Error::Kind::kBadInput) return line.error();
  const std::string_view first = line ? *line : std::string_view();
  const std::string here = fmt::format("{}:{}:", window_.name(), window_.line());
  if (line && window_.text().empty())
    return Error{Error::Kind::kBadInput,
                 window_.damage().empty() ? window_.name() + ": is empty, expected a paging trace"
                                          : window_.damage()};
  if (first.starts_with("H:") && window_.text().size() == first.size())
    return Error{Error::Kind::kBadInput,
                 here + "1: the file ends within its first line: it was cut short"};
  if (begins_snapshot(first))
    return Error{
        Error::Kind::kBadInput,
        here + "1: this is a snapshot, expected a paging trace: physmem-analyze reads snapshots"};
  if (!first.starts_with("H:")) {
    form_ = log_trace(window_, options_.keep_going, notes_);
    return {};
  }
  LineCursor cursor(first, true);
  const TraceHeaderLine header = parse_trace_header(cursor);
  if (!cursor.ok())
    return Error{Error::Kind::kBadInput,
                 fmt::format("{}{}: H: {}", here, cursor.flaw().column, cursor.flaw().text)};
  form_ = header.is_binary ? binary_trace(window_, options_.keep_going, notes_, header.header)
                           : text_trace(window_, options_.keep_going, notes_, header.header);
  return window_.skip_line();
}

Result<bool> TraceReader::next(PagingSink& sink) {
  if (form_ == nullptr)
    if (Status status = begin(); !status) return status.error();
  return form_->next(sink);
}

}  // namespace physmem
