// SPDX-License-Identifier: MIT
#include "paging/parse/binary_item.h"

#include <fmt/format.h>

#include "formats/emit/paging_record.h"
#include "formats/emit/trace_binary.h"
#include "paging/model/paging_flags.h"

namespace physmem {
namespace {

/// Reads bytes that may end anywhere. The first error is kept; later reads return 0.
class ItemBytes {
 public:
  explicit ItemBytes(std::string_view bytes) : bytes_(bytes) {}

  std::uint8_t byte() {
    if (parse_.state != BinaryParse::State::kWhole) return 0;
    if (parse_.size == bytes_.size()) {
      parse_.state = BinaryParse::State::kNeedsMore;
      return 0;
    }
    return static_cast<std::uint8_t>(bytes_[parse_.size++]);
  }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t next = byte();
      const std::uint64_t bits = next & 0x7Fu;
      if (shift == 63 && next > 1) fail("found a number of 2^64 or more");
      value |= bits << shift;
      if (next < 0x80 || parse_.state != BinaryParse::State::kWhole) return value;
    }
  }

  std::uint64_t number_below(std::uint64_t end, const char* what) {
    const std::uint64_t value = number();
    if (value >= end) fail(fmt::format("{}: found {}, expected less than {}", what, value, end));
    return value;
  }

  std::string text(std::uint64_t size) {
    if (parse_.state != BinaryParse::State::kWhole) return {};
    if (bytes_.size() - parse_.size < size) {
      parse_.state = BinaryParse::State::kNeedsMore;
      return {};
    }
    parse_.size += size;
    return std::string(bytes_.substr(parse_.size - size, size));
  }

  void fail(std::string problem) {
    if (parse_.state != BinaryParse::State::kWhole) return;
    parse_.state = BinaryParse::State::kBad;
    parse_.problem = std::move(problem);
  }

  const BinaryParse& parse() const { return parse_; }

 private:
  std::string_view bytes_;
  BinaryParse parse_;
};

constexpr std::uint64_t kProcessIdEnd = std::uint64_t{1} << 32;
constexpr std::uint64_t kCpuEnd = PM_PAGING_NO_CPU + 1;

void parse_shape(ItemBytes& from, BinaryItem& item) {
  item.shape = from.byte();
  if (item.shape >= PM_TRACE_SHAPES)
    from.fail(fmt::format("shape: found {}, expected less than {}", item.shape,
                          static_cast<int>(PM_TRACE_SHAPES)));
  if ((item.shape & PM_TRACE_HAS_TYPE) == 0) return;
  item.type = from.byte();
  if (item.type == PM_PAGING_NO_TYPE) from.fail("type of the swap area: found 255, expected less");
}

void parse_event(ItemBytes& from, std::uint8_t last_shape, BinaryItem& item) {
  if ((item.tag & PM_TRACE_TAG_SEQUENCE) != 0) item.sequence = from.number();
  if ((item.tag & PM_TRACE_TAG_CPU) != 0) item.cpu = from.number_below(kCpuEnd, "CPU");
  if ((item.tag & PM_TRACE_TAG_PROCESS) != 0)
    item.process = from.number_below(PM_TRACE_PROCESSES, "process");
  if ((item.tag & PM_TRACE_TAG_FLAGS) != 0)
    item.flags = from.number_below(kPagingFlags + 1, "flags");
  item.shape = last_shape;
  if ((item.tag & PM_TRACE_TAG_SHAPE) != 0) parse_shape(from, item);
  item.time = from.number();
  if ((item.shape & PM_TRACE_HAS_ADDRESS) != 0) item.address = from.number();
  if ((item.shape & PM_TRACE_HAS_PFN) != 0) item.pfn = from.number();
  if ((item.shape & PM_TRACE_HAS_SLOT) != 0) item.slot = from.number();
  if ((item.shape & PM_TRACE_HAS_SERVICE) != 0) item.service = from.number();
  if ((item.tag & PM_TRACE_TAG_SECTOR) == 0) return;
  if ((item.shape & PM_TRACE_HAS_SECTOR) == 0)
    from.fail("found a sector in an event whose shape has none");
  item.sector = from.number();
}

void parse_area(ItemBytes& from, BinaryItem& item) {
  item.type = from.byte();
  if (item.type == PM_PAGING_NO_TYPE) from.fail("type of the swap area: found 255, expected less");
  item.area_kind = from.byte();
  if (item.area_kind > 3)
    from.fail(fmt::format("kind of the swap area: found {}, expected 0 to 3", item.area_kind));
  item.count[0] = from.number();
  item.name = from.text(from.number_below(PM_TRACE_NAME_MAX + 1, "length of the swap area's name"));
}

void parse_process(ItemBytes& from, BinaryItem& item) {
  item.process = from.number_below(PM_TRACE_PROCESSES, "process");
  if (item.process == 0) from.fail("process: found 0, expected 1 to 4095");
  item.count[0] = from.number_below(kProcessIdEnd, "pid");
  item.count[1] = from.number_below(kProcessIdEnd, "tgid");
  const std::uint8_t size = from.byte();
  if (size >= PM_PAGING_COMM)
    from.fail(fmt::format("name: found {} bytes, expected at most 15", size));
  item.name = from.text(size);
  if (item.name.find('\0') != std::string::npos) from.fail("name: found a byte 0 in it");
}

void parse_other(ItemBytes& from, BinaryItem& item) {
  switch (item.tag) {
    case PM_TRACE_OTHER_END:
      for (std::uint64_t& count : item.count) count = from.number();
      return;
    case PM_TRACE_OTHER_LOST:
      item.time = from.number();
      item.cpu = from.number_below(kCpuEnd, "CPU");
      item.count[0] = from.number();
      return;
    case PM_TRACE_OTHER_AREA:
      return parse_area(from, item);
    case PM_TRACE_OTHER_PROCESS:
      return parse_process(from, item);
    default:
      from.fail(fmt::format(
          "found an item that begins with {}, expected an event, or 0, 4, 8 or 12", item.tag));
  }
}

}  // namespace

BinaryParse parse_binary_item(std::string_view bytes, const std::uint8_t (&shape)[3],
                              BinaryItem& item) {
  item = {};
  ItemBytes from(bytes);
  item.tag = from.byte();
  const unsigned kind = item.tag & PM_TRACE_ITEM_MASK;
  if (kind == PM_TRACE_ITEM_OTHER || kind == PM_TRACE_ITEM_MASK)
    parse_other(from, item);
  else
    parse_event(from, shape[kind], item);
  return from.parse();
}

}  // namespace physmem
