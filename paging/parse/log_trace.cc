// SPDX-License-Identifier: MIT
// The paper's two lines (A3, A5), anywhere in a log.
#include <fmt/format.h>

#include "paging/parse/trace_form.h"

#include "program/duration.h"
#include "program/printable.h"

namespace physmem {
namespace {

constexpr std::string_view kIn = "pGswAP_iN ";
constexpr std::string_view kOut = "pGswAPoUT ";

/// The fields of the two formats, after the marker.
struct PaperLine {
  std::uint64_t count = 0;
  PagingEvent event;
};

/// Blank-separated fields. The first error is kept.
class BlankCursor {
 public:
  BlankCursor(std::string_view line, std::size_t at) : line_(line), at_(at) {}

  std::string_view word() {
    at_ = std::min(line_.find_first_not_of(' ', at_), line_.size());
    const std::size_t end = std::min(line_.find_first_of(" \r", at_), line_.size());
    const std::string_view found = line_.substr(at_, end - at_);
    word_at_ = at_;
    at_ = end;
    return found;
  }
  std::uint64_t dec(const char* what) { return number(what, parse_dec, "a decimal number"); }
  std::optional<std::uint64_t> hex(const char* what) {
    const std::uint64_t value = number(what, parse_hex, "a hexadecimal number");
    if (value == PM_PAGING_UNKNOWN) return {};
    return value;
  }
  void refuse(const char* what, std::string_view found, const char* wanted) {
    if (flaw_.column == 0)
      flaw_ = {word_at_ + 1,
               fmt::format("{}: found {}, expected {}", what, in_quotes(found), wanted)};
  }
  const Flaw& flaw() const { return flaw_; }

 private:
  std::uint64_t number(const char* what, bool (*parse)(std::string_view, std::uint64_t&),
                       const char* wanted) {
    const std::string_view found = word();
    std::uint64_t value = 0;
    if (!parse(found, value)) refuse(what, found, wanted);
    return value;
  }

  std::string_view line_;
  std::size_t at_;
  std::size_t word_at_ = 0;
  Flaw flaw_;
};

/// Seconds with six decimals.
std::uint64_t parse_time(BlankCursor& line) {
  const std::string_view found = line.word();
  const std::size_t point = found.find('.');
  std::uint64_t seconds = 0;
  std::uint64_t micros = 0;
  if (point == std::string_view::npos || found.size() - point != 7 ||
      !parse_dec(found.substr(0, point), seconds) || !parse_dec(found.substr(point + 1), micros) ||
      seconds > UINT64_MAX / kSecondNs - 1)
    line.refuse("time", found, "seconds and microseconds, as 1763683208.101200");
  return seconds * kSecondNs + micros * 1000;
}

PaperLine parse_paper_line(BlankCursor& line, PagingKind kind) {
  PaperLine result;
  PagingEvent& event = result.event;
  event.kind = kind;
  event.flags = PM_PAGING_IO;
  event.cpu = PM_PAGING_NO_CPU;
  if (kind == PagingKind::kIn) result.count = line.dec("count of swap-ins");
  event.time_ns = parse_time(line);
  if (kind == PagingKind::kIn) {
    const std::uint64_t pid = line.dec("process");
    if (pid > UINT32_MAX) line.refuse("process", fmt::format("{}", pid), "a number below 2^32");
    if (pid != 0) event.pid = event.tgid = static_cast<std::uint32_t>(pid);
    event.address = line.hex("address");
  }
  event.pfn = line.hex("page number");
  event.sector = line.hex("sector");
  return result;
}

TraceHeader header_of_a_log() {
  TraceHeader header;
  header.source = "pftrace";
  return header;
}

class LogTrace : public TraceForm {
 public:
  LogTrace(Window& window, bool keep_going, TraceNotes& notes)
      : TraceForm(window, keep_going, notes, header_of_a_log()) {}

  Result<bool> next(PagingSink& sink) override {
    while (true) {
      const auto line = window().peek_line("");
      if (!line && line.error().kind != Error::Kind::kBadInput) return line.error();
      if (line && window().text().empty()) return end(sink);
      const Result<bool> found = line ? one(*line, sink) : Result<bool>(false);
      if (!found) return found.error();
      if (!line) ++notes().other_lines;
      if (Status status = window().skip_line(); !status) return status.error();
      if (*found) return true;
    }
  }

 private:
  /// True if the line contains a record.
  Result<bool> one(std::string_view line, PagingSink& sink) {
    const std::size_t in = line.find(kIn);
    const std::size_t at = in != std::string_view::npos ? in : line.find(kOut);
    if (at == std::string_view::npos) {
      ++notes().other_lines;
      return false;
    }
    any_ = true;
    BlankCursor cursor(line, at + kIn.size());
    PaperLine record = parse_paper_line(cursor, at == in ? PagingKind::kIn : PagingKind::kOut);
    if (cursor.flaw().column != 0) {
      if (Status status = drop(problem(cursor.flaw().column, cursor.flaw().text)); !status)
        return status.error();
      return false;
    }
    if (at == in) count(record, sink);
    record.event.sequence = ++sequence_;
    deliver(record.event, sink);
    return true;
  }

  /// Detects lines that the log dropped. If the count decreases, the kernel was rebooted.
  void count(const PaperLine& record, PagingSink& sink) {
    if (count_ && record.count > *count_ + 1)
      deliver(LostEvents{record.event.time_ns, {}, record.count - *count_ - 1}, sink);
    count_ = record.count;
  }

  Result<bool> end(PagingSink& sink) {
    if (!window().damage().empty()) return cut_short({Error::Kind::kBadInput, window().damage()});
    if (any_) {
      emit_header(sink);
      return false;
    }
    return Error{
        Error::Kind::kBadInput,
        fmt::format("{}: found no paging trace in {} lines, expected H: in the first, or lines "
                    "with {}and {}",
                    window().name(), notes().other_lines, kIn, kOut.substr(0, kOut.size() - 1))};
  }

  bool any_ = false;
  std::uint64_t sequence_ = 0;
  std::optional<std::uint64_t> count_;
};

}  // namespace

std::unique_ptr<TraceForm> log_trace(Window& window, bool keep_going, TraceNotes& notes) {
  return std::make_unique<LogTrace>(window, keep_going, notes);
}

}  // namespace physmem
