// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "formats/emit/trace_binary.h"
#include "paging/model/paging_flags.h"
#include "paging/write/area_changes.h"
#include "paging/write/line_output.h"
#include "paging/write/trace_writer.h"

namespace physmem {
namespace {

std::uint8_t shape_of(const PagingEvent& event) {
  return static_cast<std::uint8_t>(
      (event.address ? PM_TRACE_HAS_ADDRESS : 0) | (event.pfn ? PM_TRACE_HAS_PFN : 0) |
      (event.swap_type ? PM_TRACE_HAS_TYPE : 0) | (event.slot ? PM_TRACE_HAS_SLOT : 0) |
      (event.sector ? PM_TRACE_HAS_SECTOR : 0) | (event.service_ns ? PM_TRACE_HAS_SERVICE : 0));
}

/// As in the text form, flags without a name are not written.
std::uint32_t flags_of(const PagingEvent& event) {
  return event.flags & kPagingFlags;
}

class BinaryWriter : public TraceWriter {
 public:
  explicit BinaryWriter(std::ostream& out) : out_(out) { bytes_.reserve(kBytes); }

  void on_header(const TraceHeader& header) override {
    header_ = header;
    header_is_new_ = true;
  }
  void on_event(const PagingEvent& event) override;
  void on_lost(const LostEvents& lost) override;
  void end() override;
  void flush() override;

 private:
  static constexpr std::size_t kBytes = 64 << 10;

  using Name =
      std::tuple<std::uint32_t, std::uint32_t, std::string>;  // pid, tgid (0: unknown), comm
  struct Process {
    Name name;
    std::uint64_t address[3] = {};  // of the last event, rotated right, by kind
  };
  /// Values of the last event of a kind.
  struct Last {
    std::uint64_t process = 0;
    std::uint32_t flags = 0;
    std::uint8_t shape = 0;
    std::uint8_t type = PM_PAGING_NO_TYPE;
    std::uint64_t pfn = 0;
    std::uint64_t slot = 0;
  };

  void put_byte(unsigned byte) { bytes_ += static_cast<char>(byte); }
  void put_number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) put_byte(static_cast<unsigned>(value & 0x7F) | 0x80u);
    put_byte(static_cast<unsigned>(value));
  }
  void put_difference(std::uint64_t difference) {
    put_number(difference << 1 ^ (0 - (difference >> 63)));
  }
  /// The difference to `last`, which becomes `value`.
  void put_change(std::uint64_t& last, std::uint64_t value) {
    put_difference(value - last);
    last = value;
  }
  void write_header();
  void put_area(const pm_trace_area& area);
  void put_prefix(unsigned kind, const PagingEvent& event, const Last& last, std::uint64_t process);
  std::uint64_t number_of(const PagingEvent& event);
  std::uint64_t sector_surprise(const PagingEvent& event) const;

  LineOutput out_;
  std::string bytes_;
  TraceHeader header_;
  bool header_is_new_ = false;
  bool has_header_ = false;
  int page_shift_ = 0;
  std::uint64_t sectors_ = 0;    // per page
  std::vector<SwapArea> areas_;  // that were written
  pm_trace_end end_{};
  std::uint64_t sequence_ = 0;
  std::uint64_t time_ = 0;
  std::uint16_t cpu_ = PM_PAGING_NO_CPU;
  std::array<Last, 3> last_;
  std::map<Name, std::uint64_t> numbers_{{Name{}, 0}};
  std::vector<Process> processes_{Process{}};
  std::uint64_t next_number_ = 1;
  std::array<std::uint64_t, 256> sector_of_slot_0_{};
};

/// Batches area changes, because readers treat all changes between two events as one.
void BinaryWriter::write_header() {
  if (!std::exchange(header_is_new_, false)) return;
  const std::vector<pm_trace_area> changes = area_changes(areas_, header_.swap_areas);
  if (std::exchange(has_header_, true)) {
    for (const pm_trace_area& area : changes) put_area(area);
  } else {
    const pm_trace_header emitted = emitted_header(header_, "binary");
    pm_emit_trace_header(out_.get(), &emitted);
    for (const pm_trace_area& area : changes) pm_emit_trace_area(out_.get(), &area);
    out_.flush();
    put_byte('\n');
    page_shift_ = std::countr_zero(header_.page_size);
    sectors_ = header_.page_size / kSectorBytes;
  }
  areas_ = header_.swap_areas;
}

void BinaryWriter::put_area(const pm_trace_area& area) {
  const std::size_t size = area.name.len < PM_TRACE_NAME_MAX ? area.name.len : PM_TRACE_NAME_MAX;
  put_byte(PM_TRACE_OTHER_AREA);
  put_byte(area.type);
  put_byte(area.kind);
  put_number(area.slots);
  put_number(size);
  bytes_.append(area.name.at, size);
}

/// The number of the process; writes an item that introduces it if it is new. When all numbers are
/// in use, the oldest is reused.
std::uint64_t BinaryWriter::number_of(const PagingEvent& event) {
  Name name{event.pid.value_or(0), event.tgid.value_or(0),
            event.comm.substr(0, PM_PAGING_COMM - 1)};
  const auto [at, is_new] = numbers_.try_emplace(name, next_number_);
  if (!is_new) return at->second;
  const std::uint64_t number = next_number_;
  next_number_ = number + 1 == PM_TRACE_PROCESSES ? 1 : number + 1;
  if (number < processes_.size()) numbers_.erase(processes_[number].name);
  if (number == processes_.size()) processes_.emplace_back();
  put_byte(PM_TRACE_OTHER_PROCESS);
  put_number(number);
  put_number(std::get<0>(name));
  put_number(std::get<1>(name));
  put_byte(static_cast<unsigned>(std::get<2>(name).size()));
  bytes_ += std::get<2>(name);
  processes_[number] = {std::move(name), {}};
  return number;
}

/// The difference between the sector and the one predicted from the last event of the area.
std::uint64_t BinaryWriter::sector_surprise(const PagingEvent& event) const {
  if (!event.sector) return 0;
  const std::uint64_t begin = sector_of_slot_0_[event.swap_type.value_or(PM_PAGING_NO_TYPE)];
  return *event.sector - (begin + event.slot.value_or(0) * sectors_);
}

/// The first byte, and the fields that it marks as different from the prediction.
void BinaryWriter::put_prefix(unsigned kind, const PagingEvent& event, const Last& last,
                              std::uint64_t process) {
  const std::uint8_t shape = shape_of(event);
  const bool is_other_type = event.swap_type && *event.swap_type != last.type;
  const bool is_other_shape = shape != last.shape || is_other_type;
  put_byte(kind | (event.sequence != sequence_ + 1 ? unsigned{PM_TRACE_TAG_SEQUENCE} : 0) |
           (event.cpu != cpu_ ? unsigned{PM_TRACE_TAG_CPU} : 0) |
           (process != last.process ? unsigned{PM_TRACE_TAG_PROCESS} : 0) |
           (flags_of(event) != last.flags ? unsigned{PM_TRACE_TAG_FLAGS} : 0) |
           (is_other_shape ? unsigned{PM_TRACE_TAG_SHAPE} : 0) |
           (sector_surprise(event) != 0 ? unsigned{PM_TRACE_TAG_SECTOR} : 0));
  if (event.sequence != sequence_ + 1) put_difference(event.sequence - (sequence_ + 1));
  if (event.cpu != cpu_) put_number(event.cpu);
  if (process != last.process) put_number(process);
  if (flags_of(event) != last.flags) put_number(flags_of(event));
  if (!is_other_shape) return;
  put_byte(shape);
  if (event.swap_type) put_byte(*event.swap_type);
}

void BinaryWriter::on_event(const PagingEvent& event) {
  const unsigned kind = event.kind == PagingKind::kIn ? PM_TRACE_ITEM_IN : PM_TRACE_ITEM_OUT;
  Last& last = last_[kind];
  write_header();
  const std::uint64_t process = number_of(event);
  ++(event.kind == PagingKind::kIn ? end_.ins : end_.outs);
  put_prefix(kind, event, last, process);
  sequence_ = event.sequence;
  cpu_ = event.cpu;
  last.process = process;
  last.flags = flags_of(event);
  last.shape = shape_of(event);
  if (event.swap_type) last.type = *event.swap_type;
  put_change(time_, event.time_ns);
  if (event.address)
    put_change(processes_[process].address[kind], std::rotr(*event.address, page_shift_));
  if (event.pfn) put_change(last.pfn, *event.pfn);
  if (event.slot) put_change(last.slot, *event.slot);
  if (event.service_ns) put_number(*event.service_ns);
  if (const std::uint64_t surprise = sector_surprise(event); surprise != 0) {
    put_difference(surprise);
    sector_of_slot_0_[event.swap_type.value_or(PM_PAGING_NO_TYPE)] += surprise;
  }
  if (bytes_.size() > kBytes / 2) flush();
}

void BinaryWriter::on_lost(const LostEvents& lost) {
  write_header();
  end_.lost += lost.count;
  put_byte(PM_TRACE_OTHER_LOST);
  put_change(time_, lost.time_ns);
  put_number(lost.cpu.value_or(PM_PAGING_NO_CPU));
  put_number(lost.count);
}

void BinaryWriter::end() {
  write_header();
  put_byte(PM_TRACE_OTHER_END);
  put_number(end_.ins);
  put_number(end_.outs);
  put_number(end_.lost);
  flush();
}

void BinaryWriter::flush() {
  write_header();
  out_.stream().write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
  bytes_.clear();
}

}  // namespace

std::unique_ptr<TraceWriter> binary_trace_writer(std::ostream& out) {
  return std::make_unique<BinaryWriter>(out);
}

}  // namespace physmem
