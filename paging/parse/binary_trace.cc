// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <bit>

#include "formats/emit/trace_binary.h"
#include "paging/parse/binary_item.h"
#include "paging/parse/trace_form.h"
#include "program/printable.h"

namespace physmem {
namespace {

std::uint64_t signed_difference(std::uint64_t number) {
  return (number >> 1) ^ (0 - (number & 1));
}

/// The values to which the differences of the next event are added.
class Decoder {
 public:
  explicit Decoder(std::uint32_t page_size)
      : page_shift_(std::countr_zero(page_size)), sectors_(page_size / kSectorBytes) {}

  const std::uint8_t (&shapes() const)[3] { return shape_; }
  std::uint64_t advance(std::uint64_t difference) { return time_ += signed_difference(difference); }
  void set_process(const BinaryItem& item);
  /// False if it refers to a process that no item has introduced.
  bool decode(const BinaryItem& item, PagingEvent& event);

 private:
  struct Process {
    bool is_known = false;
    std::optional<std::uint32_t> pid = {};
    std::optional<std::uint32_t> tgid = {};
    std::string comm = {};
    std::uint64_t address[3] = {};  ///< rotated right, by kind
  };
  /// Values of the last event of a kind.
  struct Last {
    std::uint64_t process = 0;
    std::uint32_t flags = 0;
    std::uint8_t type = PM_PAGING_NO_TYPE;
    std::uint64_t pfn = 0;
    std::uint64_t slot = 0;
  };

  void decode_place(const BinaryItem& item, Last& last, PagingEvent& event);
  void decode_sector(const BinaryItem& item, PagingEvent& event);

  int page_shift_;
  std::uint64_t sectors_;  ///< per page
  std::uint8_t shape_[3] = {};
  std::uint64_t sequence_ = 0;
  std::uint64_t time_ = 0;
  std::uint16_t cpu_ = PM_PAGING_NO_CPU;
  std::array<Last, 3> last_;
  std::array<Process, PM_TRACE_PROCESSES> processes_{Process{true}};
  std::array<std::uint64_t, 256> sector_of_slot_0_{};
};

void Decoder::set_process(const BinaryItem& item) {
  Process& process = processes_[item.process];
  process = {true};
  if (item.count[0] != 0) process.pid = static_cast<std::uint32_t>(item.count[0]);
  if (item.count[1] != 0) process.tgid = static_cast<std::uint32_t>(item.count[1]);
  process.comm = item.name;
}

bool Decoder::decode(const BinaryItem& item, PagingEvent& event) {
  const unsigned kind = item.tag & PM_TRACE_ITEM_MASK;
  Last& last = last_[kind];
  if ((item.tag & PM_TRACE_TAG_PROCESS) != 0) last.process = item.process;
  if ((item.tag & PM_TRACE_TAG_CPU) != 0) cpu_ = static_cast<std::uint16_t>(item.cpu);
  if ((item.tag & PM_TRACE_TAG_FLAGS) != 0) last.flags = static_cast<std::uint32_t>(item.flags);
  if ((item.tag & PM_TRACE_TAG_SHAPE) != 0) last.type = item.type;
  shape_[kind] = item.shape;
  Process& process = processes_[last.process];
  if (!process.is_known) return false;
  event = {};
  event.kind = kind == PM_TRACE_ITEM_IN ? PagingKind::kIn : PagingKind::kOut;
  event.sequence = sequence_ += 1 + signed_difference(item.sequence);
  event.time_ns = advance(item.time);
  event.cpu = cpu_;
  event.flags = last.flags;
  event.pid = process.pid;
  event.tgid = process.tgid;
  event.comm = process.comm;
  if ((item.shape & PM_TRACE_HAS_ADDRESS) != 0)
    event.address =
        std::rotl(process.address[kind] += signed_difference(item.address), page_shift_);
  decode_place(item, last, event);
  for (auto* field : {&event.address, &event.pfn, &event.slot, &event.sector, &event.service_ns})
    // as in the text form: no valid field has that value
    if (*field == PM_PAGING_UNKNOWN) field->reset();
  return true;
}

void Decoder::decode_place(const BinaryItem& item, Last& last, PagingEvent& event) {
  if ((item.shape & PM_TRACE_HAS_PFN) != 0) event.pfn = last.pfn += signed_difference(item.pfn);
  if ((item.shape & PM_TRACE_HAS_TYPE) != 0) event.swap_type = last.type;
  if ((item.shape & PM_TRACE_HAS_SLOT) != 0) event.slot = last.slot += signed_difference(item.slot);
  if ((item.shape & PM_TRACE_HAS_SERVICE) != 0) event.service_ns = item.service;
  if ((item.shape & PM_TRACE_HAS_SECTOR) != 0) decode_sector(item, event);
}

void Decoder::decode_sector(const BinaryItem& item, PagingEvent& event) {
  std::uint64_t& begin = sector_of_slot_0_[event.swap_type.value_or(PM_PAGING_NO_TYPE)];
  begin += signed_difference(item.sector);
  event.sector = begin + event.slot.value_or(0) * sectors_;
}

class BinaryTrace : public TraceForm {
 public:
  BinaryTrace(Window& window, bool keep_going, TraceNotes& notes, const TraceHeader& header)
      : TraceForm(window, keep_going, notes, header),
        decoder_(std::make_unique<Decoder>(header.page_size)) {}

  Result<bool> next(PagingSink& sink) override {
    while (!is_over_) {
      const Result<Step> done = in_lines_ ? line() : item(sink);
      if (!done) return done.error();
      if (*done == Step::kDelivered) return true;
      is_over_ = *done == Step::kEnd;
    }
    return false;
  }

 private:
  enum class Step { kMore, kDelivered, kEnd };

  /// A: lines, and the empty line after them.
  Result<Step> line() {
    const auto line = window().peek_line("");
    if (!line) return line.error();
    if (window().text().size() == line->size())
      return ended(
          problem(line->size() + 1, "the file ends before the first event: it was cut short"));
    if (line->empty()) {
      in_lines_ = false;
    } else {
      LineCursor cursor(*line, true);
      if (!line->starts_with("A:"))
        return problem(1, fmt::format("found {}, expected A: or an empty line", in_quotes(*line)));
      const SwapAreaLine area = parse_swap_area(cursor);
      if (!cursor.ok()) return problem(cursor.flaw().column, "A: " + cursor.flaw().text);
      set_area(area);
    }
    if (Status status = window().skip_line(); !status) return status.error();
    return Step::kMore;
  }

  Result<Step> item(PagingSink& sink) {
    BinaryParse parse;
    while (true) {
      parse = parse_binary_item(window().text(), decoder_->shapes(), item_);
      if (parse.state == BinaryParse::State::kBad) return ended(at_byte(parse.problem), sink);
      if (parse.state == BinaryParse::State::kWhole) break;
      const auto more = window().fill();
      if (!more) return more.error();
      if (*more) continue;
      if (!window().damage().empty())
        return ended({Error::Kind::kBadInput, window().damage()}, sink);
      return ended(at_byte("the trace ends without its end: it was cut short, or is still growing"),
                   sink);
    }
    const Error here = at_byte("");
    window().advance(parse.size);
    return apply(here, sink);
  }

  Result<Step> apply(const Error& here, PagingSink& sink) {
    if ((item_.tag & PM_TRACE_ITEM_MASK) != PM_TRACE_ITEM_OTHER) {
      if (!decoder_->decode(item_, event_))
        return ended({here.kind, here.text + "found an event of a process that was not introduced"},
                     sink);
      deliver(event_, sink);
      return Step::kDelivered;
    }
    if (item_.tag == PM_TRACE_OTHER_END) return end(here, sink);
    if (item_.tag == PM_TRACE_OTHER_LOST) {
      LostEvents lost{decoder_->advance(item_.time), {}, item_.count[0]};
      if (item_.cpu != PM_PAGING_NO_CPU) lost.cpu = static_cast<std::uint16_t>(item_.cpu);
      deliver(lost, sink);
      return Step::kDelivered;
    }
    if (item_.tag == PM_TRACE_OTHER_PROCESS)
      decoder_->set_process(item_);
    else
      set_area(
          {{item_.type, static_cast<SwapAreaKind>(item_.area_kind % 3), item_.count[0], item_.name},
           item_.area_kind == 3});
    return Step::kMore;
  }

  Result<Step> end(const Error& here, PagingSink& sink) {
    emit_header(sink);
    if (Status status = check({item_.count[0], item_.count[1], item_.count[2]}, here); !status)
      return status.error();
    const auto more = window().text().empty() ? window().fill() : Result<bool>(true);
    if (!more) return more.error();
    if (*more)
      if (Status status = drop(at_byte("found bytes after the end of the trace, expected nothing"));
          !status)
        return status.error();
    return Step::kEnd;
  }

  /// Data after an error cannot be decoded.
  Result<Step> ended(const Error& error, PagingSink& sink) {
    emit_header(sink);
    return ended(error);
  }
  Result<Step> ended(const Error& error) {
    const Result<bool> allowed = cut_short(error);
    if (!allowed) return allowed.error();
    return Step::kEnd;
  }

  Error at_byte(const std::string& text) {
    return {Error::Kind::kBadInput,
            fmt::format("{}: byte {}: {}", window().name(), window().offset(), text)};
  }

  std::unique_ptr<Decoder> decoder_;  // some 400 KiB
  BinaryItem item_;
  PagingEvent event_;
  bool in_lines_ = true;
  bool is_over_ = false;
};

}  // namespace

std::unique_ptr<TraceForm> binary_trace(Window& window, bool keep_going, TraceNotes& notes,
                                        const TraceHeader& header) {
  return std::make_unique<BinaryTrace>(window, keep_going, notes, header);
}

}  // namespace physmem
